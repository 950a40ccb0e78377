import { CONSENT } from "../../inquiry/consent.ts";
import { PrivacyNote } from "../privacy-note.tsx";
import { TRUST } from "../questions.ts";

/** What stands at the end of the plain form: who gets the answers, the consent, and the button. */
export function FormEnd() {
  return (
    <>
      <PrivacyNote />
      <p className="questionnaire-consent" id="einwilligung">
        {CONSENT.text}
      </p>
      <input type="hidden" name="consent" value={CONSENT.version} />
      <div className="questionnaire-actions">
        <button type="submit" className="button" aria-describedby="einwilligung">
          Absenden
        </button>
      </div>
      <p className="questionnaire-trust">{TRUST}</p>
    </>
  );
}
