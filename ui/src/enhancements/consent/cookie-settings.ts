import { readItem, writeItem } from "../../browser/storage.ts";
import { readSettings } from "../../template/site-settings.ts";

/** What the visitor allows. */
export interface CookieSettings {
  necessary: true;
  analytics: boolean;
  marketing: boolean;
  preferences: boolean;
}

/** How the visitor chose the settings. */
export type Consent = "customized" | "accepted" | "rejected";

const SETTINGS_KEY = "cookieSettings";
const CONSENT_KEY = "cookieConsent";
/** The ids of the tags that the banner asked about. */
const TAGS_KEY = "cookieTags";

/** What each one-click choice allows. */
export const CHOICES = {
  accepted: { necessary: true, analytics: true, marketing: true, preferences: true },
  rejected: { necessary: true, analytics: false, marketing: false, preferences: false },
} as const satisfies Partial<Record<Consent, CookieSettings>>;

/** Returns the ids of the site's tags, which contain no spaces. */
export function siteTags(): string[] {
  const { tag_manager: manager, conversion } = readSettings().tags;
  return [manager, conversion].filter((id) => id !== null);
}

/** Returns the stored choice, or only what is necessary if there is none or it is unreadable. */
export function readCookieSettings(): CookieSettings {
  try {
    const stored = Object(JSON.parse(readItem("localStorage", SETTINGS_KEY) ?? "null")) as Record<string, unknown>;
    return {
      necessary: true,
      analytics: stored.analytics === true,
      marketing: stored.marketing === true,
      preferences: stored.preferences === true,
    };
  } catch (error) {
    console.warn("The stored cookie settings cannot be read.", error);
    return CHOICES.rejected;
  }
}

/** Returns whether the visitor has agreed to marketing with these tags. An unreadable choice is not consent. */
export function hasMarketingConsent(tags = siteTags()): boolean {
  return readCookieSettings().marketing && isAbout(tags);
}

/** Returns whether the visitor has already decided, so that the banner need not ask. */
export function hasChosen(tags = siteTags()): boolean {
  return [SETTINGS_KEY, CONSENT_KEY].some((key) => readItem("localStorage", key) !== null) && isAbout(tags);
}

/** A choice only covers the tags that the visitor was asked about. Without a stored list there were none. */
function isAbout(tags: readonly string[]): boolean {
  const named = readItem("localStorage", TAGS_KEY)?.split(" ") ?? [];
  return tags.every((id) => named.includes(id));
}

const CHANGE = "cookie-consent-change";

/** Stores a choice, and notifies this page. If the browser refuses, the visitor is asked again on the next one. */
export function storeChoice(settings: CookieSettings, consent: Consent, tags = siteTags()): void {
  writeItem("localStorage", SETTINGS_KEY, JSON.stringify(settings));
  writeItem("localStorage", CONSENT_KEY, consent);
  writeItem("localStorage", TAGS_KEY, tags.join(" "));
  window.dispatchEvent(new Event(CHANGE));
}

/** Calls back when a choice is stored, in this tab or another one. */
export function onConsentChange(listener: () => void): void {
  window.addEventListener(CHANGE, listener);
  window.addEventListener("storage", listener);
}
