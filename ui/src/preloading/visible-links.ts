/** How many pages are fetched ahead for one that is open. */
const MOST = 4;

/** The links that a page offers to go on with: its buttons, tiles and cards, not each word of its text. */
const OFFERS = "main :is(a.button, a.tile, .card a, h2 a, h3 a)";

/** Calls back with the first few offers that come on the screen; not where data is dear. The answer stops it. */
export function whenSeen(callback: (link: HTMLAnchorElement) => void): () => void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return () => {};
  const paths = new Set<string>();
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      const link = target as HTMLAnchorElement;
      if (!isIntersecting || paths.has(link.pathname) || paths.size === MOST) continue;
      paths.add(link.pathname);
      callback(link);
    }
  });
  document.querySelectorAll(OFFERS).forEach((link) => observer.observe(link));
  return () => observer.disconnect();
}
