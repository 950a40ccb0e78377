import { ErrorLink, ErrorSummary } from "../components/notice.tsx";
import { either, If, slot } from "../template/template.tsx";
import { PhotoRow } from "./photo-row.tsx";
import { ServedField } from "./served-field.tsx";
import { PostButton, Submit } from "../components/submit.tsx";

/** The id of the field, whose name `photo-upload.ts` and `src/web/upload.rs` know. */
const FIELD = "photos";

const ROOM = either("photo_room == 1", "Möglich ist noch ein Foto", `Möglich sind noch ${slot("photo_room")} Fotos`);

const HINT = `Am besten die ganze Fassade, die Stelle mit den Tauben und eine Nahaufnahme: Damit sparen sich Betriebe oft einen Besuch und können genauer rechnen. ${ROOM}, je höchstens 12\u00a0MB, als JPEG, PNG oder WebP. Bitte keine Gesichter und keine Hausnummern. Angaben in der Datei, zum Beispiel den Aufnahmeort, entfernen wir.`;

/** Shows the photos of an inquiry, each with a button to remove it, and the form for more. */
export function PhotoForm() {
  return (
    <section aria-labelledby="fotos">
      <h2 id="fotos">Fotos</h2>
      <If test="photos">
        <PhotoRow>
          <PostButton action={slot("photo.link")} look="button-quiet button-small">
            Foto {slot("photo.place")} entfernen
          </PostButton>
        </PhotoRow>
      </If>
      <If
        test="sends_photos"
        otherwise={
          <p className="hint">Mehr als fünf Fotos nehmen wir nicht an. Wenn Sie eines entfernen, ist wieder Platz.</p>
        }
      >
        <form
          method="post"
          action={slot("photo_action")}
          encType="multipart/form-data"
          data-upload={slot("photo_room")}
        >
          <ServedField id={FIELD} label="Fotos hinzufügen" hint={HINT} fault="photo_error">
            {(control) => (
              <input {...control} name={FIELD} type="file" accept="image/jpeg,image/png,image/webp" multiple />
            )}
          </ServedField>
          <p data-above="4">
            <Submit>Fotos senden</Submit>
          </p>
        </form>
      </If>
    </section>
  );
}

/** Explains at the top why photos were not stored. */
export function PhotoError() {
  return (
    <If test="photo_error">
      <ErrorSummary title="Ihre Fotos sind nicht gespeichert">
        <ul className="error-summary-list">
          <ErrorLink field={either("sends_photos", FIELD, "fotos")}>{slot("photo_error")}</ErrorLink>
        </ul>
      </ErrorSummary>
    </If>
  );
}
