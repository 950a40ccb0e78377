/**
 * Calls back when the visitor comes back to a page that the browser has kept as it was left. Nothing starts again there,
 * and what other pages have stored since is unknown to it. Returns how to stop.
 */
export function onReturn(callback: () => void): () => void {
  const listen = ({ persisted }: PageTransitionEvent) => {
    if (persisted) callback();
  };
  window.addEventListener("pageshow", listen);
  return () => window.removeEventListener("pageshow", listen);
}
