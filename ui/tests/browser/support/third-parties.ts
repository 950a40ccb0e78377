import type { BrowserContext, Page } from "playwright-core";

/** Collects the addresses of requests to other hosts than the site's, and blocks them. */
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

/** Returns what the tags of this document were told: commands as lists, events as they are. */
export const dataLayer = (page: Page): Promise<unknown[]> =>
  page.evaluate(() =>
    ((window as { dataLayer?: object[] }).dataLayer ?? []).map((entry) =>
      "length" in entry ? Array.from(entry as ArrayLike<unknown>) : entry,
    ),
  );
