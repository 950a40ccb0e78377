import type { Check } from "./checks.ts";

/** Collects the links of pages and follows each address once. */
export class Links {
  /** The page on which a link was found, by the link's absolute address. */
  readonly #found = new Map<string, string>();

  /** Records the links of a page. Its own anchors are checked at once, because scripts may have added their targets. */
  readonly check: Check = {
    name: "every anchor link has its target on the page",
    look: async (page, where) => {
      const found = await page.evaluate(() =>
        [...document.links].map(({ href, hash, pathname, search }) => {
          const isHere = hash !== "" && pathname === location.pathname && search === location.search;
          return { href, isHere, isDead: isHere && !document.getElementById(decodeURIComponent(hash.slice(1))) };
        }),
      );
      for (const { href, isHere } of found) if (!isHere) this.#found.set(href, where);
      return found.flatMap(({ href, isDead }) => (isDead ? [`${href} has no target`] : []));
    },
  };

  get size(): number {
    return this.#found.size;
  }

  /** Returns faulty links: those within the site must lead to a page without a redirect, and to an existing anchor. */
  async follow(site: string): Promise<string[]> {
    const faults: string[] = [];
    const pages = new Map<string, { status: number; text: string }>();
    for (const [href, where] of this.#found) {
      const { origin, protocol, pathname, search, hash } = new URL(href);
      if (origin !== site) {
        if (!["https:", "mailto:", "tel:"].includes(protocol)) faults.push(`${where}: ${href} is not secure`);
        continue;
      }
      // The private page belongs to a state's made-up inquiry.
      if (pathname.startsWith("/anfrage/")) continue;
      const address = origin + pathname + search;
      const page = pages.get(address) ?? (await read(address));
      pages.set(address, page);
      if (page.status !== 200) faults.push(`${where}: ${href} answers ${page.status}`);
      const id = decodeURIComponent(hash.slice(1));
      if (id && !page.text.includes(` id="${id}"`)) faults.push(`${where}: ${href} has no target`);
    }
    return faults;
  }
}

async function read(address: string): Promise<{ status: number; text: string }> {
  const response = await fetch(address, { redirect: "manual" });
  return { status: response.status, text: await response.text() };
}
