/**
 * Follows the back and forward buttons until the router does. They can change the address while the document stays,
 * because an entry that a script made belongs to the document that made it. Before hydration nothing else would react,
 * so this has the browser load the address.
 *
 * `page` is the path that the document was made for; undefined for the page that says that something does not exist.
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
