import { describedBy, FieldNotes } from "../components/field.tsx";
import { ErrorLink, ErrorSummary } from "../components/notice.tsx";
import { Branch, Choose, Each, If, slot } from "../template/template.tsx";
import { LIMITS } from "../inquiry/rules.ts";
import { STAR } from "../components/stars.tsx";
import { ServedField } from "./served-field.tsx";
import { Submit } from "../components/submit.tsx";

/** Explains at the top what is wrong with a review. */
export function ReviewErrors() {
  return (
    <If test='notice == "review_faulty"'>
      <ErrorSummary title="Ihre Bewertung ist nicht gespeichert">
        <ul className="error-summary-list">
          <Each entry="review" list="reviews">
            <Each entry="fault" list="review.faults">
              <ErrorLink field={slot("fault.field")}>{slot("fault.text")}</ErrorLink>
            </Each>
          </Each>
        </ul>
      </ErrorSummary>
    </If>
  );
}

/** Asks the visitor for a review of each firm that has accepted. */
export function ReviewForms() {
  return (
    <If test="reviews">
      <section aria-labelledby="bewerten">
        <h2 id="bewerten">Bewerten</h2>
        <p className="measure" data-below="5">
          Wie war die Arbeit? Ihre Bewertung hilft anderen bei der Wahl. Auf der Startseite erscheint sie nur, wenn Sie
          damit einverstanden sind und wir sie gelesen haben; ob sie gut oder schlecht ausfällt, spielt keine Rolle.
        </p>
        <div className="stack" data-gap="5">
          <Each entry="review" list="reviews">
            <If test="review.opens" otherwise={<ReviewForm />}>
              <div className="card stack" data-tone="none">
                <h3>{slot("review.firm_name")}</h3>
                <p>Möglich ab dem {slot("review.opens")}, oder sobald der Betrieb ein Ergebnis meldet.</p>
              </div>
            </If>
          </Each>
        </div>
      </section>
    </If>
  );
}

function ReviewForm() {
  return (
    <form
      className="review-form card stack measure"
      data-gap="5"
      data-tone="none"
      method="post"
      action={slot("action")}
      aria-labelledby={idOf("bewertung")}
    >
      <input type="hidden" name="review" value={slot("review.firm")} />
      <h3 id={idOf("bewertung")}>{slot("review.firm_name")}</h3>
      <Stage />
      <Branch test="review.stars_error" render={(isWrong) => <Stars isWrong={isWrong} />} />
      <ServedField
        id={idOf("erfahrung")}
        label="Ihre Erfahrung"
        fault="review.text_error"
        hint={`Freiwillig. Platz ist für ${LIMITS.review} Zeichen. Bitte nennen Sie keine Namen von Personen.`}
      >
        {(control) => (
          <textarea {...control} name="text" rows={5} maxLength={LIMITS.review} defaultValue={slot("review.text")} />
        )}
      </ServedField>
      <ServedField
        id={idOf("anzeigename")}
        label="Name, der angezeigt wird"
        fault="review.name_error"
        hint="So steht er auf der Startseite. Sie können auch einen anderen wählen."
      >
        {(control) => (
          <input
            {...control}
            name="name"
            type="text"
            autoComplete="off"
            maxLength={LIMITS.review_name}
            defaultValue={slot("review.name")}
          />
        )}
      </ServedField>
      <div className="check review-form-consent">
        {/* Ticked only if the visitor has ticked it before. */}
        <Branch
          test="review.consent"
          render={(isTicked) => (
            <input type="checkbox" id={idOf("einverstanden")} name="consent" value="yes" defaultChecked={isTicked} />
          )}
        />
        <label htmlFor={idOf("einverstanden")}>
          Ich bin einverstanden, dass meine Bewertung auf der Startseite veröffentlicht wird, mit diesem Namen, den
          ersten drei Ziffern meiner Postleitzahl, dem Betrieb und dem Monat. Das kann ich hier jederzeit widerrufen.
        </label>
      </div>
      <p className="actions">
        <If test='review.state == "none"' otherwise={<Change />}>
          <Submit>Bewerten</Submit>
        </If>
      </p>
    </form>
  );
}

/** Explains what happens to the stored review. */
function Stage() {
  return (
    <If test='review.state != "none"'>
      <p className="hint">
        <Choose
          cases={{
            'review.state == "silent"':
              "Ihre Bewertung ist gespeichert, aber nicht zu sehen: Ohne Ihr Einverständnis veröffentlichen wir sie nicht.",
            'review.state == "waiting"': "Ihre Bewertung ist noch nicht zu sehen: Wir lesen sie zuerst.",
            'review.state == "published"':
              "Ihre Bewertung steht auf der Startseite. Wenn Sie etwas ändern, nehmen wir sie herunter und lesen sie noch einmal.",
          }}
          otherwise="Wir haben Ihre Bewertung nicht veröffentlicht, weil sie gegen unsere Regeln verstößt (AGB, Abschnitt 5). Den genauen Grund nennen wir Ihnen, sobald Sie uns schreiben; Sie können auch widersprechen. Wenn Sie etwas ändern, lesen wir sie noch einmal."
        />
      </p>
    </If>
  );
}

function Change() {
  return (
    <>
      <Submit>Bewertung ändern</Submit>
      <button className="button-quiet" type="submit" name="take_back" value="yes">
        Bewertung zurücknehmen
      </button>
    </>
  );
}

/** Returns an id that is unique among the page's forms; `src/site/templates/context/reviews.rs` builds the same. */
function idOf(name: string): string {
  return `${name}-${slot("review.number")}`;
}

const STARS = "sterne";
const STARS_HINT = "Ein Stern heißt unzufrieden, fünf heißen sehr zufrieden.";

/**
 * Asks for 1 to 5 stars: radio buttons that look like stars, filled up to the chosen one. Arrow keys move the choice as
 * in any group of radio buttons, without a script. The error summary links to the first.
 */
function Stars({ isWrong }: { isWrong: boolean }) {
  const error = isWrong ? slot("review.stars_error") : undefined;
  const { "aria-describedby": described } = describedBy(idOf(STARS), STARS_HINT, error);
  return (
    <fieldset className="review-stars field" aria-describedby={described} data-invalid={isWrong}>
      <legend className="field-label">Wie viele Sterne geben Sie?</legend>
      <FieldNotes id={idOf(STARS)} hint={STARS_HINT} error={error} />
      <div className="review-stars-row">
        {[1, 2, 3, 4, 5].map((count) => (
          <label className="review-stars-star" key={count}>
            <Branch
              test={`review.stars == "${count}"`}
              render={(isChosen) => (
                <input
                  type="radio"
                  name="stars"
                  value={count}
                  id={count === 1 ? idOf(STARS) : undefined}
                  defaultChecked={isChosen}
                />
              )}
            />
            <svg viewBox="-12 -12 24 24" width="40" height="40" aria-hidden="true">
              <path d={STAR} />
            </svg>
            <span className="visually-hidden">{count === 1 ? "1 Stern" : `${count} Sterne`}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
