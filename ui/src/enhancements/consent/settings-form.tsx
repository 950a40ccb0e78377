import type { CookieSettings } from "./cookie-settings.ts";

/** The purposes, each a check box that looks like a switch and is announced as one. The first is always on. */
const SWITCHES: readonly (readonly [name: keyof CookieSettings, label: string, hint: string])[] = [
  ["necessary", "Notwendig", "Immer aktiv, denn ohne diese Einträge funktioniert die Website nicht"],
  [
    "analytics",
    "Analyse",
    "Messen, wie die Website genutzt wird; zurzeit ohne Wirkung, weil dafür nichts eingerichtet ist",
  ],
  ["marketing", "Marketing", "Tag-Manager und Erfolg unserer Anzeigen"],
  ["preferences", "Präferenzen", "Komforteinstellungen merken; zurzeit ohne Wirkung, weil es keine gibt"],
];

/** Lets the visitor choose, with a switch for each purpose (`settings.ts`). Without JavaScript it only says what applies. */
export function SettingsForm() {
  return (
    <div className="settings-form measure" data-below="4">
      <form data-needs-script="" data-enhancement="settings">
        <fieldset data-below="5">
          <legend className="label">Ihre Auswahl</legend>
          {SWITCHES.map(([name, label, hint]) => (
            <div className="switch" key={name}>
              <input
                id={`auswahl-${name}`}
                name={name}
                type="checkbox"
                // A check box conveys its state without aria-checked.
                // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props
                role="switch"
                defaultChecked={name === "necessary"}
                disabled={name === "necessary"}
                aria-describedby={`auswahl-${name}-hint`}
              />
              <label className="strong touch" htmlFor={`auswahl-${name}`}>
                {label}
              </label>
              <span className="switch-hint hint" id={`auswahl-${name}-hint`}>
                {hint}
              </span>
            </div>
          ))}
        </fieldset>
        <p className="actions">
          <button className="button" type="submit">
            Einstellungen speichern
          </button>
          <button className="button-quiet" type="button" data-choice="accepted">
            Alle akzeptieren
          </button>
          <button className="button-quiet" type="button" data-choice="rejected">
            Alle ablehnen
          </button>
        </p>
      </form>
      <p data-without-script="">
        Für eine Auswahl braucht diese Seite JavaScript. Ohne JavaScript legt die Website keine Cookies und keine
        anderen Einträge auf Ihrem Gerät an und lädt nichts von Dritten, unabhängig von einer früheren Auswahl.
      </p>
    </div>
  );
}
