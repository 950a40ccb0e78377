import { onReturn } from "../../browser/lifecycle.ts";
import { browserStorage } from "../../browser/storage.ts";
import { readSettings } from "../../template/site-settings.ts";
import { showToast } from "../toast/store.ts";
import {
  announceConsentChange,
  type Consent,
  type CookieSettings,
  EVERYTHING,
  hasMarketingConsent,
  NECESSARY_ONLY,
  readCookieSettings,
  storeCookieSettings,
  tagIds,
} from "./cookie-settings.ts";

/** Makes the switches of the cookie settings work: they show what applies until the visitor changes something. */
export function settings(form: HTMLElement): void {
  if (!(form instanceof HTMLFormElement)) return;
  const tags = tagIds(readSettings().tags);
  const { analytics, marketing, preferences } = form.elements as HTMLFormControlsCollection & Switches;

  const show = (chosen: CookieSettings) => {
    analytics.checked = chosen.analytics;
    marketing.checked = chosen.marketing;
    preferences.checked = chosen.preferences;
  };
  const showStored = () => {
    const storage = browserStorage("localStorage");
    // An old consent does not cover a new tag.
    show({ ...readCookieSettings(storage), marketing: hasMarketingConsent(storage, tags) });
  };
  const store = (chosen: CookieSettings, consent: Consent, title: string) => {
    storeCookieSettings(browserStorage("localStorage"), chosen, consent, tags);
    show(chosen);
    announceConsentChange();
    showToast({ tone: "info", title, group: "cookies" });
  };

  showStored();
  // Other pages may have stored another choice since this one was left.
  onReturn(showStored);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = {
      necessary: true,
      analytics: analytics.checked,
      marketing: marketing.checked,
      preferences: preferences.checked,
    } as const;
    store(chosen, "customized", "Einstellungen gespeichert");
  });
  form.addEventListener("click", ({ target }) => {
    const choice = target instanceof HTMLElement ? target.dataset.choice : undefined;
    if (choice === "accepted") store(EVERYTHING, choice, "Alle Cookies akzeptiert");
    if (choice === "rejected") store(NECESSARY_ONLY, choice, "Alle Cookies abgelehnt");
  });
}

type Switches = Readonly<Record<Exclude<keyof CookieSettings, "necessary">, HTMLInputElement>>;
