import { shownFor } from "../browser/lifecycle.ts";
import type { BotSignals } from "../inquiry/bot-signals.ts";

/** Browsers do not fill in a field of this name by themselves, but programs that fill in everything do. */
const FIELD_NAME = "homepage";

/** A field that cannot be seen, heard or reached by keyboard: only robots fill it in. */
export function Honeypot() {
  return (
    <div className="visually-hidden" aria-hidden="true">
      <label>
        Bitte leer lassen
        <input type="text" name={FIELD_NAME} tabIndex={-1} autoComplete="off" defaultValue="" />
      </label>
    </div>
  );
}

/** Reads how a form with a honeypot was filled in. */
export function readSignals(form: HTMLFormElement | null): BotSignals {
  const honeypot = form?.elements.namedItem(FIELD_NAME);
  return {
    fillTime: Math.round(shownFor()),
    isTrapFilled: honeypot instanceof HTMLInputElement && honeypot.value !== "",
  };
}
