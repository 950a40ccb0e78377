import { ANNOUNCED } from "../components/announced.ts";
import { If } from "../components/if.tsx";
import { FOCUSED } from "../questionnaire/error-summary.tsx";
import { PhotoRow } from "./photo-row.tsx";
import { Choose, slot } from "./template.tsx";

/** The id of the field; `photo-upload.ts` and `src/web/upload.rs` know its name. */
const FIELD = "photos";

/** Shows the photos of an inquiry, each with a button that removes it, and the form for more. */
export function PhotoForm() {
  return (
    <section aria-labelledby="fotos">
      <h2 id="fotos">Fotos</h2>
      <If test="photos">
        <PhotoRow>
          <form method="post" action={slot("photo.link")}>
            <button className="button-quiet button-small" type="submit">
              Foto {slot("photo.place")} entfernen
            </button>
          </form>
        </PhotoRow>
      </If>
      <If
        test="sends_photos"
        otherwise={
          <p className="field-hint">Mehr als fünf Fotos nehmen wir nicht an. Entfernen Sie eins, ist wieder Platz.</p>
        }
      >
        <form
          method="post"
          action={slot("photo_action")}
          encType="multipart/form-data"
          data-upload={slot("photo_room")}
        >
          <div className="field" data-invalid={`{{ "true" if photo_error else "false" }}`}>
            <label className="field-label" htmlFor={FIELD}>
              Fotos hinzufügen
            </label>
            <p className="field-hint" id={`${FIELD}-hint`}>
              Am besten die ganze Fassade, die Stelle mit den Tauben und eine Nahaufnahme: Damit sparen sich Betriebe
              oft einen Besuch und können genauer rechnen.{" "}
              <Choose
                cases={{ "photo_room == 1": "Möglich ist noch ein Foto" }}
                otherwise={`Möglich sind noch ${slot("photo_room")} Fotos`}
              />
              , je höchstens 12&nbsp;MB, als JPEG, PNG oder WebP. Bitte keine Gesichter und keine Hausnummern. Angaben
              in der Datei, zum Beispiel den Aufnahmeort, entfernen wir.
            </p>
            <If test="photo_error">
              <p className="field-error" id={`${FIELD}-error`}>
                {slot("photo_error")}
              </p>
            </If>
            <input
              className="field-input"
              id={FIELD}
              name={FIELD}
              type="file"
              accept="image/jpeg,image/png,image/webp"
              multiple
              aria-invalid={`{{ "true" if photo_error else "false" }}` as "true"}
              aria-describedby={`{{ "${FIELD}-error " if photo_error else "" }}${FIELD}-hint`}
            />
          </div>
          <p className="private-page-submit">
            <button className="button-plain" type="submit">
              Fotos senden
            </button>
          </p>
        </form>
      </If>
    </section>
  );
}

/** Shows the result of an upload at the top. */
export function PhotoNotice() {
  return (
    <>
      <If test="photo_error">
        <div className="error-summary" {...FOCUSED}>
          <h2 className="error-summary-heading">Ihre Fotos sind nicht gespeichert</h2>
          <ul className="error-summary-list">
            <li>
              <a href={`{{ "#${FIELD}" if sends_photos else "#fotos" }}`}>{slot("photo_error")}</a>
            </li>
          </ul>
        </div>
      </If>
      <If test='notice == "photos_saved"'>
        <p className="private-page-notice" {...ANNOUNCED}>
          <strong>Gespeichert.</strong> Betriebe, die wir fragen, sehen Ihre Fotos.
        </p>
      </If>
      <If test='notice == "photo_removed"'>
        <p className="private-page-notice" {...ANNOUNCED}>
          <strong>Entfernt.</strong> Das Foto ist gelöscht.
        </p>
      </If>
    </>
  );
}
