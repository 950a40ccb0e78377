import { shownFor } from "../browser/lifecycle.ts";

/** Browsers do not autofill a field of this name, but programs that fill in everything do. */
const FIELD_NAME = "homepage";

/** A field that cannot be seen, heard or reached by keyboard, so only robots fill it in. */
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

/**
 * Returns headers that describe how a form was filled in. The server uses them only to mark inquiries that seem to come
 * from a robot (`src/domain/inquiry/suspicion.rs`).
 */
export function signalHeaders(form: HTMLFormElement | null): Record<string, string> {
  const honeypot = form?.elements.namedItem(FIELD_NAME);
  const isFilled = honeypot instanceof HTMLInputElement && honeypot.value !== "";
  return { "Form-Fill-Time": String(Math.round(shownFor())), ...(isFilled && { "Form-Trap": "filled" }) };
}
