import type { BrowserContext, Page } from "playwright-core";

/** Collects the addresses of requests to hosts other than the site's, and blocks them. */
export async function blockThirdParties(context: BrowserContext, origin: string): Promise<string[]> {
  const addresses: string[] = [];
  await context.route(
    (url) => url.origin !== origin && url.protocol !== "data:",
    (route) => {
      addresses.push(route.request().url());
      return route.abort();
    },
  );
  return addresses;
}

/** Returns what the tags of this document have received: commands as lists, events unchanged. */
export const dataLayer = (page: Page): Promise<unknown[]> =>
  page.evaluate(() =>
    ((window as { dataLayer?: object[] }).dataLayer ?? []).map((entry) =>
      "length" in entry ? Array.from(entry as ArrayLike<unknown>) : entry,
    ),
  );
