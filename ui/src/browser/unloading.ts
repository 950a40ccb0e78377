/**
 * Watches whether the page is left or reloaded: browsers cut off its requests then. Returns how to stop, which says
 * whether it happened. Not for longer than need be, because the listener keeps some browsers from caching the page.
 */
export function watchUnloading(): () => boolean {
  let isUnloading = false;
  const onUnload = () => {
    isUnloading = true;
  };
  // Requests end before `pagehide`.
  window.addEventListener("beforeunload", onUnload);
  return () => {
    window.removeEventListener("beforeunload", onUnload);
    return isUnloading;
  };
}
