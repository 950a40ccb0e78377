/** The pages of an inquiry or of a subscription, below which a token follows. `src/site/private_path.rs` has the same. */
const PRIVATE_PATH = /^\/(?:anfrage|betrieb|newsletter\/(?:bestaetigen|abmelden))\//i;

/** A visitor's page. The token is base64url of at least 128 bits; nothing else may become a link. */
const VISITORS_PAGE = /^\/anfrage\/[A-Za-z0-9_-]{22,128}$/;

/** Says whether an address holds a token: that of a private page, or of the thank-you page that the plain form leads to. */
export function isPrivateAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { pathname, searchParams } = new URL(address);
  return PRIVATE_PATH.test(pathname) || searchParams.has("anfrage");
}

/** Says whether a script of others could find such an address here: that of the page before, or this page's own. */
export function isPrivateVisit(): boolean {
  return isPrivateAddress(document.referrer) || isLoadedByToken();
}

/** Says whether this page was loaded from such an address, which the browser remembers although the page has changed it. */
export function isLoadedByToken(): boolean {
  return performance.getEntriesByType("navigation").some(({ name }) => isPrivateAddress(name));
}

/** Returns the path of the visitor's private page; null for anything else, wherever it comes from. */
export function readPrivatePage(value: unknown): string | null {
  return typeof value === "string" && VISITORS_PAGE.test(value) ? value : null;
}
