import type { CookieSettings } from "./cookie-settings.ts";

/** Lets the visitor choose, with a switch for each purpose: `settings.ts` makes it work. Without JavaScript it only says what applies. */
export function SettingsForm() {
  return (
    <div className="settings-form measure">
      <form data-needs-script="" data-enhancement="settings">
        <fieldset>
          <legend className="label">Ihre Auswahl</legend>
          <Switch
            name="necessary"
            label="Notwendig"
            hint="Immer aktiv, ohne sie funktioniert die Website nicht"
            isLocked
          />
          <Switch
            name="analytics"
            label="Analyse"
            hint="Messen, wie die Website genutzt wird; zurzeit ohne Wirkung, weil dafür nichts eingerichtet ist"
          />
          <Switch name="marketing" label="Marketing" hint="Tag-Manager und Erfolg unserer Anzeigen" />
          <Switch
            name="preferences"
            label="Präferenzen"
            hint="Komforteinstellungen merken; zurzeit ohne Wirkung, weil es keine gibt"
          />
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

interface Props {
  name: keyof CookieSettings;
  label: string;
  hint: string;
  /** It is on, and stays so. */
  isLocked?: boolean;
}

/** Renders a check box that looks like a switch and is announced as one. */
function Switch({ name, label, hint, isLocked = false }: Props) {
  const id = `auswahl-${name}`;
  return (
    <div className="switch">
      <input
        id={id}
        name={name}
        type="checkbox"
        // A check box tells its state without aria-checked.
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props
        role="switch"
        defaultChecked={isLocked}
        disabled={isLocked}
        aria-describedby={`${id}-hint`}
      />
      <label htmlFor={id}>{label}</label>
      <span className="switch-hint hint" id={`${id}-hint`}>
        {hint}
      </span>
    </div>
  );
}
