import { onReturn } from "../../browser/lifecycle.ts";
import { showToast } from "../toast/store.ts";
import {
  CHOICES,
  type Consent,
  type CookieSettings,
  hasMarketingConsent,
  readCookieSettings,
  storeChoice,
} from "./cookie-settings.ts";

/** Activates the switches of the cookie settings: they show what applies until the visitor changes something. */
export function settings(form: HTMLElement): void {
  const switches = [...form.querySelectorAll<HTMLInputElement & { name: keyof CookieSettings }>("[role=switch]")];

  const show = (chosen: CookieSettings) => {
    for (const one of switches) one.checked = chosen[one.name];
  };
  // An old consent does not cover a new tag.
  const showStored = () => show({ ...readCookieSettings(), marketing: hasMarketingConsent() });
  const store = (chosen: CookieSettings, consent: Consent, title: string) => {
    storeChoice(chosen, consent);
    show(chosen);
    showToast({ tone: "info", title, group: "cookies" });
  };

  showStored();
  // Other pages may have stored another choice in the meantime.
  onReturn(showStored);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = Object.fromEntries(switches.map(({ name, checked }) => [name, checked]));
    store({ ...CHOICES.rejected, ...chosen }, "customized", "Einstellungen gespeichert");
  });
  form.addEventListener("click", ({ target }) => {
    const choice = target instanceof HTMLElement ? target.dataset.choice : undefined;
    if (choice === "accepted") store(CHOICES[choice], choice, "Alle Cookies akzeptiert");
    if (choice === "rejected") store(CHOICES[choice], choice, "Alle Cookies abgelehnt");
  });
}
