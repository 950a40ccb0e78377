import type { Page, Route } from "playwright-core";

/** Returns a promise and the function that fulfils it. */
export function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Holds back requests of the page to these addresses. The returned function lets them continue. */
export async function holdBack(
  page: Page,
  addresses: string,
  answer = (route: Route) => route.continue(),
): Promise<() => void> {
  const { promise: released, resolve: release } = deferred();
  await page.route(addresses, async (route) => {
    await released;
    await answer(route);
  });
  return release;
}
