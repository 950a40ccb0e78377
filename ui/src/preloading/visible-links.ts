/** The most pages that are fetched ahead for one open page. */
const MOST = 4;

/** The links by which visitors usually continue: buttons, tiles and cards, but not the links within texts. */
const OFFERS = "main :is(a.button, a.hero-tile, .article-card a, h2 a, h3 a)";

/**
 * Calls back with the first few of them that become visible, unless the visitor saves data. Returns a function that
 * stops it.
 */
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
