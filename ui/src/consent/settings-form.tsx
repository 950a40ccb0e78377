import { useEffect, useMemo, useState } from "react";
import { onReturn } from "../browser/returning.ts";
import { browserStorage } from "../browser/storage.ts";
import { useSettings } from "../settings/context.tsx";
import { showToast } from "../toast/store.ts";
import { announceConsentChange } from "./consent-events.ts";
import {
  EVERYTHING,
  hasMarketingConsent,
  NECESSARY_ONLY,
  readCookieSettings,
  storeCookieSettings,
  tagIds,
  type Consent,
  type CookieSettings,
} from "./cookie-settings.ts";
import { Switch } from "./switch.tsx";

const SWITCHES: { name: "analytics" | "marketing" | "preferences"; label: string; hint: string }[] = [
  { name: "analytics", label: "Analyse", hint: "Messen, wie die Website genutzt wird" },
  { name: "marketing", label: "Marketing", hint: "Tag-Manager und Erfolg unserer Anzeigen" },
  { name: "preferences", label: "Präferenzen", hint: "Komforteinstellungen merken" },
];

/** Lets the visitor choose, with a switch for each purpose. Without JavaScript it only says what applies. */
export function SettingsForm() {
  return (
    <div className="settings-form">
      <Form />
      <noscript>
        <p>
          Für eine Auswahl braucht diese Seite JavaScript. Ohne JavaScript legt die Website keine Cookies und keine
          anderen Einträge auf Ihrem Gerät an und lädt nichts von Dritten, unabhängig von einer früheren Auswahl.
        </p>
      </noscript>
    </div>
  );
}

function Form() {
  const { settings, change, store } = useCookieSettings();
  return (
    <form
      data-needs-script=""
      onSubmit={(event) => {
        event.preventDefault();
        store(settings, "customized", "Einstellungen gespeichert");
      }}
    >
      <fieldset>
        <legend>Ihre Auswahl</legend>
        <Switch label="Notwendig" hint="Immer aktiv, ohne sie funktioniert die Website nicht" isOn isLocked />
        {SWITCHES.map(({ name, label, hint }) => (
          <Switch
            key={name}
            label={label}
            hint={hint}
            isOn={settings[name]}
            onChange={(isOn) => change({ ...settings, [name]: isOn })}
          />
        ))}
      </fieldset>
      <p className="actions">
        <button className="button" type="submit">
          Einstellungen speichern
        </button>
        <button
          className="button-quiet"
          type="button"
          onClick={() => store(EVERYTHING, "accepted", "Alle Cookies akzeptiert")}
        >
          Alle akzeptieren
        </button>
        <button
          className="button-quiet"
          type="button"
          onClick={() => store(NECESSARY_ONLY, "rejected", "Alle Cookies abgelehnt")}
        >
          Alle ablehnen
        </button>
      </p>
    </form>
  );
}

/** Holds the state of the switches: the stored choice until the visitor changes something. */
function useCookieSettings() {
  const site = useSettings();
  const tags = useMemo(() => (site === null ? [] : tagIds(site.tags)), [site]);
  const [settings, change] = useState(() => readStored(tags));
  // Other pages may have stored another choice since this one was left.
  useEffect(() => onReturn(() => change(readStored(tags))), [tags]);

  const store = (next: CookieSettings, consent: Consent, title: string) => {
    storeCookieSettings(browserStorage("localStorage"), next, consent, tags);
    change(next);
    announceConsentChange();
    showToast({ tone: "info", title, group: "cookies" });
  };

  return { settings, change, store };
}

/** Returns what applies: an old consent does not cover a new tag. */
function readStored(tags: readonly string[]): CookieSettings {
  const store = browserStorage("localStorage");
  return { ...readCookieSettings(store), marketing: hasMarketingConsent(store, tags) };
}
