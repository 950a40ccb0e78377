import type { Settings } from "../../template/site-settings.ts";

/** What the visitor allows. */
export interface CookieSettings {
  necessary: true;
  analytics: boolean;
  marketing: boolean;
  preferences: boolean;
}

/** How the visitor chose the settings. */
export type Consent = "customized" | "accepted" | "rejected";

/** Exported, like every storage key, for the test that /datenschutz names all of them. */
export const SETTINGS_KEY = "cookieSettings";
export const CONSENT_KEY = "cookieConsent";
/** The ids of the tags that the visitor was asked about. */
export const TAGS_KEY = "cookieTags";

export const NECESSARY_ONLY: CookieSettings = {
  necessary: true,
  analytics: false,
  marketing: false,
  preferences: false,
};
export const EVERYTHING: CookieSettings = { necessary: true, analytics: true, marketing: true, preferences: true };

/** Returns the ids of the site's tags, none of which has a space. */
export function tagIds({ tag_manager, conversion }: Settings["tags"]): string[] {
  return [tag_manager, conversion].filter((id) => id !== null);
}

/** Returns the stored choice, or only what is necessary if there is none or it cannot be read. */
export function readCookieSettings(store: Pick<Storage, "getItem"> | null): CookieSettings {
  try {
    const value = JSON.parse(store?.getItem(SETTINGS_KEY) ?? "{}") as Partial<
      Record<keyof CookieSettings, unknown>
    > | null;
    const allows = (name: keyof CookieSettings) => value?.[name] === true;
    return {
      necessary: true,
      analytics: allows("analytics"),
      marketing: allows("marketing"),
      preferences: allows("preferences"),
    };
  } catch (error) {
    console.warn("The stored cookie settings cannot be read.", error);
    return NECESSARY_ONLY;
  }
}

/** Tells whether the visitor has agreed to marketing with these tags. A choice that cannot be read is no consent. */
export function hasMarketingConsent(store: Pick<Storage, "getItem"> | null, tags: readonly string[]): boolean {
  return readCookieSettings(store).marketing && isAbout(store, tags);
}

/** Tells whether the visitor has chosen before, so that there is no need to ask. */
export function hasChosen(store: Pick<Storage, "getItem"> | null, tags: readonly string[]): boolean {
  return [SETTINGS_KEY, CONSENT_KEY].some((key) => (store?.getItem(key) ?? null) !== null) && isAbout(store, tags);
}

/** A choice holds for the tags that the question was about. Where it is not known, it was asked without any. */
function isAbout(store: Pick<Storage, "getItem"> | null, tags: readonly string[]): boolean {
  const named = store?.getItem(TAGS_KEY)?.split(" ") ?? [];
  return tags.every((id) => named.includes(id));
}

/** Stores a choice. If the browser refuses, the visitor is asked again on the next page load. */
export function storeCookieSettings(
  store: Pick<Storage, "setItem"> | null,
  settings: CookieSettings,
  consent: Consent,
  tags: readonly string[],
): void {
  try {
    store?.setItem(SETTINGS_KEY, JSON.stringify(settings));
    store?.setItem(CONSENT_KEY, consent);
    store?.setItem(TAGS_KEY, tags.join(" "));
  } catch (error) {
    console.warn("The cookie settings cannot be stored.", error);
  }
}

const CHANGE = "cookie-consent-change";

/** Tells listeners in this tab that a choice about cookies was stored. */
export function announceConsentChange(): void {
  window.dispatchEvent(new Event(CHANGE));
}

/** Calls back when a choice was stored, in this tab or another one. Returns a function that stops it. */
export function onConsentChange(listener: () => void): () => void {
  window.addEventListener(CHANGE, listener);
  window.addEventListener("storage", listener);
  return () => {
    window.removeEventListener(CHANGE, listener);
    window.removeEventListener("storage", listener);
  };
}
