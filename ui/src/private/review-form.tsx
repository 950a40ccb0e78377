import type { ReactNode } from "react";
import { ANNOUNCED } from "../components/announced.ts";
import { If } from "../components/if.tsx";
import { LIMITS } from "../inquiry/rules.ts";
import { FOCUSED } from "../questionnaire/error-summary.tsx";
import { idOf, ReviewField } from "./review-field.tsx";
import { ReviewStars } from "./review-stars.tsx";
import { Choose, slot } from "./template.tsx";

/** Shows the result of a review at the top. */
export function ReviewNotice() {
  return (
    <>
      <If test='notice == "review_faulty"'>
        <div className="error-summary" {...FOCUSED}>
          <h2 className="error-summary-heading">Ihre Bewertung ist nicht gespeichert</h2>
          <ul className="error-summary-list">
            <EachReview>
              {"{% for fault in review.faults %}"}
              <li>
                <a href={`#${slot("fault.field")}`}>{slot("fault.text")}</a>
              </li>
              {"{% endfor %}"}
            </EachReview>
          </ul>
        </div>
      </If>
      <If test='notice == "review_saved"'>
        <p className="private-page-notice" {...ANNOUNCED}>
          <strong>Danke, Ihre Bewertung ist gespeichert.</strong>{" "}
          <a href="#bewerten">Was damit geschieht, steht beim Formular.</a>
        </p>
      </If>
      <If test='notice == "review_removed"'>
        <p className="private-page-notice" {...ANNOUNCED}>
          <strong>Ihre Bewertung ist zurückgenommen</strong> und bei uns gelöscht.
        </p>
      </If>
    </>
  );
}

/** Asks the visitor for a review of each firm that has accepted. */
export function ReviewForms() {
  return (
    <If test="reviews">
      <section aria-labelledby="bewerten">
        <h2 id="bewerten">Bewerten</h2>
        <p className="private-page-text">
          Hat der Betrieb gute Arbeit geleistet? Ihre Bewertung hilft anderen bei der Wahl. Auf der Startseite erscheint
          sie nur, wenn Sie damit einverstanden sind und wir sie gelesen haben; ob sie gut oder schlecht ausfällt,
          spielt keine Rolle.
        </p>
        <div className="review-form-list">
          <EachReview>
            <ReviewForm />
          </EachReview>
        </div>
      </section>
    </If>
  );
}

function ReviewForm() {
  return (
    <form className="review-form" method="post" action={slot("action")} aria-labelledby={idOf("bewertung")}>
      <input type="hidden" name="review" value={slot("review.firm")} />
      <h3 id={idOf("bewertung")}>{slot("review.firm_name")}</h3>
      <Stage />
      <ReviewStars />
      <ReviewField
        name="erfahrung"
        label="Ihre Erfahrung"
        error="review.text_error"
        hint={`Freiwillig. Platz ist für ${LIMITS.review} Zeichen. Bitte nennen Sie keine Namen von Personen.`}
      >
        {(described) => (
          <textarea {...described} name="text" rows={5} maxLength={LIMITS.review} defaultValue={slot("review.text")} />
        )}
      </ReviewField>
      <ReviewField
        name="anzeigename"
        label="Name, der angezeigt wird"
        error="review.name_error"
        hint="So steht er auf der Startseite. Sie können auch einen anderen wählen."
      >
        {(described) => (
          <input
            {...described}
            name="name"
            type="text"
            autoComplete="off"
            maxLength={LIMITS.review_name}
            defaultValue={slot("review.name")}
          />
        )}
      </ReviewField>
      <div className="private-page-choice review-form-consent">
        <Consent />
        <label htmlFor={idOf("einverstanden")}>
          Ich bin einverstanden, dass meine Bewertung auf der Startseite veröffentlicht wird, mit diesem Namen, den
          ersten drei Ziffern meiner Postleitzahl, dem Betrieb und dem Monat. Das kann ich hier jederzeit widerrufen.
        </label>
      </div>
      <p className="actions review-form-actions">
        <If test='review.state == "none"' otherwise={<Change />}>
          <button className="button-plain" type="submit">
            Bewerten
          </button>
        </If>
      </p>
    </form>
  );
}

/** Says what happens to the stored review. */
function Stage() {
  return (
    <If test='review.state != "none"'>
      <p className="review-form-stage">
        <Choose
          cases={{
            'review.state == "silent"':
              "Ihre Bewertung ist gespeichert, aber nicht zu sehen: Ohne Ihr Einverständnis veröffentlichen wir sie nicht.",
            'review.state == "waiting"': "Ihre Bewertung ist noch nicht zu sehen: Wir lesen sie zuerst.",
            'review.state == "published"':
              "Ihre Bewertung steht auf der Startseite. Wenn Sie etwas ändern, nehmen wir sie herunter und lesen sie noch einmal.",
          }}
          otherwise="Wir haben Ihre Bewertung nicht veröffentlicht. Wenn Sie etwas ändern, lesen wir sie noch einmal."
        />
      </p>
    </If>
  );
}

function Change() {
  return (
    <>
      <button className="button-plain" type="submit">
        Bewertung ändern
      </button>
      <button className="button-quiet" type="submit" name="take_back" value="yes">
        Bewertung zurücknehmen
      </button>
    </>
  );
}

/** The box is ticked only where the visitor has ticked it before. */
function Consent() {
  const box = (isTicked: boolean): ReactNode => (
    <input
      type="checkbox"
      id={idOf("einverstanden")}
      name="consent"
      value="yes"
      {...(isTicked && { defaultChecked: true })}
    />
  );
  return (
    <If test="review.consent" otherwise={box(false)}>
      {box(true)}
    </If>
  );
}

/** Lets the server repeat its children for each firm that has accepted. */
function EachReview({ children }: { children: ReactNode }) {
  return (
    <>
      {"{% for review in reviews %}"}
      {children}
      {"{% endfor %}"}
    </>
  );
}
