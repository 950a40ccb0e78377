import { readPage } from "./page.ts";
import type { Found, Pages } from "./pages.ts";

/** Milliseconds to wait for a page before the browser loads it instead, and shows what is wrong. */
const TIMEOUT = 10_000;

/** Returns the pages of the browser: the open one is adopted, others are fetched once and kept. */
export function browserPages(): Pages {
  const { pathname } = window.location;
  const script = scriptOf(document);
  const known = new Map<string, Found | PendingPage>([[pathname, readPage(document, pathname)]]);

  const get = (path: string) => {
    const found = known.get(path) ?? trackStatus(load(path));
    known.set(path, found); // the promise itself: React expects the one that it waited for
    return found;
  };

  const load = async (path: string): Promise<Found> => {
    const page = await fetchPage(path, script).catch(() => null);
    if (page && !known.has(page.path)) known.set(page.path, page); // after a redirect
    return page;
  };

  const prefetch = (path: string) => {
    const found = get(path);
    if (!(found instanceof Promise) || found.status) return undefined;
    return found.then((page) => {
      if (page === null) known.delete(path);
    });
  };

  return { get, prefetch };
}

/**
 * A promise with the status that React looks for: without it, React suspends for a moment even when it is fulfilled.
 */
type PendingPage = Promise<Found> & { status?: "fulfilled"; value?: Found };

function trackStatus(promise: PendingPage): PendingPage {
  void promise.then((value) => Object.assign(promise, { status: "fulfilled", value }));
  return promise;
}

/** Fetches a page. Rejects if the network fails; null stands for an answer that is not a page of this build. */
async function fetchPage(path: string, script: string | null): Promise<Found> {
  // With the origin, because a path that begins with two slashes would name another host.
  const response = await fetch(window.location.origin + path, {
    headers: { Accept: "text/html" },
    signal: AbortSignal.timeout(TIMEOUT),
  });
  if (!response.headers.get("content-type")?.startsWith("text/html")) return null;
  const fetched = new DOMParser().parseFromString(await response.text(), "text/html");
  // Another script: the site was updated, and the code and styles of this visit may not fit the page.
  if (scriptOf(fetched) !== script) return null;
  return readPage(fetched, response.redirected ? new URL(response.url).pathname : path);
}

function scriptOf(document: Document): string | null {
  return document.querySelector("script[type=module]")?.getAttribute("src") ?? null;
}
