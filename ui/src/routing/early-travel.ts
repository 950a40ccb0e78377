/**
 * Before a page has come alive, going back or forward can change the address while its document stays: the browser takes both
 * for one document when a script had made the entry. Nobody is there to follow then, so the browser loads the address.
 *
 * `page` is the path that the document was made for; undefined where it stands for what does not exist.
 */
export function followEarlyTravel(page: string | undefined): { isElsewhere: boolean; stop: () => void } {
  const isElsewhere = () => page !== undefined && page !== window.location.pathname;
  const follow = () => {
    if (isElsewhere()) window.location.reload();
  };
  window.addEventListener("popstate", follow);
  const stop = () => window.removeEventListener("popstate", follow);
  // Once is enough: the server may answer another spelling of the path with the same page.
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const wasReloaded = navigation?.type === "reload";
  if (!wasReloaded) follow();
  return { isElsewhere: isElsewhere() && !wasReloaded, stop };
}
