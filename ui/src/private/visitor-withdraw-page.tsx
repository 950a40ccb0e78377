import { Intro } from "./intro.tsx";
import { Choose, slot } from "../template/template.tsx";
import { Submit } from "../components/submit.tsx";

/** Renders the confirmation before an inquiry is withdrawn. */
export function VisitorWithdrawPage() {
  return (
    <>
      <Intro
        title="Möchten Sie Ihre Anfrage zurückziehen?"
        lead={
          <>
            Anfrage {slot("inquiry.reference")} vom {slot("inquiry.received")}
          </>
        }
      />
      <div className="measure prose" data-below="5">
        <p>Wenn Sie sie zurückziehen:</p>
        <ul>
          <li>löschen wir Ihren Namen, Ihre Kontaktdaten und alle Angaben zur Anfrage;</li>
          <li>
            <Choose
              cases={{
                "asked_count == 0": "geben wir die Anfrage an keinen Betrieb mehr weiter;",
                "asked_count == 1":
                  "bitten wir den Betrieb, der Ihre Anfrage hat, sie ebenfalls zu löschen und sich nicht mehr zu melden;",
              }}
              otherwise="bitten wir die Betriebe, die Ihre Anfrage haben, sie ebenfalls zu löschen und sich nicht mehr zu melden;"
            />
          </li>
          <li>lässt sich das nicht rückgängig machen. Eine neue Anfrage können Sie jederzeit stellen.</li>
        </ul>
      </div>
      <form className="actions" method="post" action={slot("action")}>
        <Submit>Anfrage zurückziehen</Submit>
        <a className="button-quiet" href={slot("link")}>
          Abbrechen
        </a>
      </form>
    </>
  );
}
