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
/** The ids of the tags that the visitor was asked about. */
const TAGS_KEY = "cookieTags";

/** What a choice that is one press allows. */
export const CHOICES = {
  accepted: { necessary: true, analytics: true, marketing: true, preferences: true },
  rejected: { necessary: true, analytics: false, marketing: false, preferences: false },
} as const satisfies Partial<Record<Consent, CookieSettings>>;

/** Returns the ids of the site's tags, none of which has a space. */
export function siteTags(): string[] {
  const { tag_manager: manager, conversion } = readSettings().tags;
  return [manager, conversion].filter((id) => id !== null);
}

/** Returns the stored choice, or only what is necessary if there is none or it cannot be read. */
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

/** Tells whether the visitor has agreed to marketing with these tags. A choice that cannot be read is no consent. */
export function hasMarketingConsent(tags = siteTags()): boolean {
  return readCookieSettings().marketing && isAbout(tags);
}

/** Tells whether the visitor has chosen before, so that there is no need to ask. */
export function hasChosen(tags = siteTags()): boolean {
  return [SETTINGS_KEY, CONSENT_KEY].some((key) => readItem("localStorage", key) !== null) && isAbout(tags);
}

/** A choice holds for the tags that the question was about. Where it is not known, it was asked without any. */
function isAbout(tags: readonly string[]): boolean {
  const named = readItem("localStorage", TAGS_KEY)?.split(" ") ?? [];
  return tags.every((id) => named.includes(id));
}

const CHANGE = "cookie-consent-change";

/** Stores a choice, and tells this page. If the browser refuses, the visitor is asked again on the next one. */
export function storeChoice(settings: CookieSettings, consent: Consent, tags = siteTags()): void {
  writeItem("localStorage", SETTINGS_KEY, JSON.stringify(settings));
  writeItem("localStorage", CONSENT_KEY, consent);
  writeItem("localStorage", TAGS_KEY, tags.join(" "));
  window.dispatchEvent(new Event(CHANGE));
}

/** Calls back when a choice was stored, in this tab or another one. */
export function onConsentChange(listener: () => void): void {
  window.addEventListener(CHANGE, listener);
  window.addEventListener("storage", listener);
}
