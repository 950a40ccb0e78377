import { createContext } from "react";
import type { StaticPage } from "./page.ts";

/** A page, or null if the address cannot be shown as a page of this build. */
export type Found = StaticPage | null;

/** The source of static pages: the prerender has one page, the browser fetches them. */
export interface Pages {
  /** Returns the page at an encoded path if it is at hand, else a promise (always the same one) that never rejects. */
  get(path: string): Found | Promise<Found>;
  /** Fetches a page that may be wanted soon and forgets a failure. Returns undefined if the page is at hand. */
  prefetch(path: string): Promise<void> | undefined;
}

/** Returns a source that always has the same page, for the prerender and for tests. */
export function onePage(page: StaticPage): Pages {
  return { get: () => page, prefetch: () => undefined };
}

export const PagesContext = createContext<Pages>({ get: () => null, prefetch: () => undefined });
