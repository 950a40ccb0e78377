import { createContext } from "react";
import type { StaticPage } from "./page.ts";

/** A page, or null when it cannot be had as one of this site's pages. */
export type Found = StaticPage | null;

/** Where screens get the static pages from: the prerender holds one, the browser fetches them. */
export interface Pages {
  /** The page at an encoded path: itself when it is at hand, else a promise (the same until then) that never rejects. */
  get(path: string): Found | Promise<Found>;
  /** Fetches a page that may be wanted soon; a failure is forgotten. Undefined when the page is at hand. */
  prefetch(path: string): Promise<void> | undefined;
}

/** The prerender's and the tests' pages: always the same one. */
export function onePage(page: StaticPage): Pages {
  return { get: () => page, prefetch: () => undefined };
}

export const PagesContext = createContext<Pages>({ get: () => null, prefetch: () => undefined });
