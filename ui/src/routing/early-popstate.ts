/**
 * Follows the back and forward buttons until the router does. They can change the address while the document stays: browsers
 * take both entries for one document when a script made the entry. Before hydration nothing would react, so the browser
 * loads the address.
 *
 * `page` is the path that the document was made for; undefined where it stands for what does not exist.
 */
export function followEarlyPopstate(page: string | undefined): { isElsewhere: boolean; stop: () => void } {
  const isElsewhere = () => page !== undefined && page !== window.location.pathname;
  const follow = () => {
    if (isElsewhere()) window.location.reload();
  };
  window.addEventListener("popstate", follow);
  const stop = () => window.removeEventListener("popstate", follow);
  // Only once: the server may answer another spelling of the path with the same page.
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const wasReloaded = navigation?.type === "reload";
  if (!wasReloaded) follow();
  return { isElsewhere: isElsewhere() && !wasReloaded, stop };
}
