/** Pages of an inquiry or a subscription, whose paths continue with a token. `src/site/private_path.rs` has the same. */
const PRIVATE_PATH = /^\/(?:anfrage|betrieb|newsletter\/(?:bestaetigen|abmelden))\//i;

/** A visitor's page. The token is base64url of at least 128 bits; nothing else may become a link. */
const VISITORS_PAGE = /^\/anfrage\/[A-Za-z0-9_-]{22,128}$/;

/** Returns whether an address contains a token: of a private page, or of the thank-you page that follows the plain form. */
export function isPrivateAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { pathname, searchParams } = new URL(address);
  return PRIVATE_PATH.test(pathname) || searchParams.has("anfrage");
}

/** Returns whether third-party scripts could find such an address here, as the referrer or as this page's own. */
export function isPrivateVisit(): boolean {
  return isPrivateAddress(document.referrer) || isLoadedByToken();
}

/** Returns whether this page was loaded from such an address, which the browser remembers even after the page changes it. */
export function isLoadedByToken(): boolean {
  return performance.getEntriesByType("navigation").some(({ name }) => isPrivateAddress(name));
}

/** Returns the path if it is that of a visitor's private page; null for anything else, whatever its origin. */
export function readPrivatePage(value: unknown): string | null {
  return typeof value === "string" && VISITORS_PAGE.test(value) ? value : null;
}
