import type { Settings } from "../template/site-settings.ts";

/** What counting needs of the browser. */
export interface CountingBrowser {
  readonly fetch: typeof fetch;
  readonly navigator: { readonly globalPrivacyControl?: boolean; readonly doNotTrack?: string | null };
}

/** Whether a visitor may be counted: not one who objects, and none in a demo. */
export function mayCount(settings: Pick<Settings, "demo"> | null, { navigator }: CountingBrowser): boolean {
  const { globalPrivacyControl, doNotTrack } = navigator;
  return settings !== null && !settings.demo && globalPrivacyControl !== true && doNotTrack !== "1";
}

/** Tells the server one thing to count, and nothing about the visitor. */
export function report(url: string, what: object, browser: CountingBrowser): void {
  // What is not counted is missing from a sum, which is no reason to bother a visitor.
  void post(url, what, browser.fetch).catch(() => {});
}

async function post(url: string, what: object, send: typeof fetch): Promise<void> {
  const response = await send(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(what),
    credentials: "omit",
    redirect: "error",
    // It may be the last thing that a visitor sees of the page.
    keepalive: true,
    priority: "low",
  });
  // An unread body keeps the connection busy.
  await response.text();
}
