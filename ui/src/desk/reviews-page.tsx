import { Notices } from "../components/notice.tsx";
import { Each, If, slot } from "../template/template.tsx";
import { Named } from "./template.tsx";
import { REVIEWS } from "./words.ts";

/** Renders what visitors say of firms: first what waits for a decision, then the rest. */
export function ReviewsPage() {
  return (
    <>
      <Notices
        texts={{
          published: "Die Bewertung steht jetzt auf der Startseite.",
          rejected: "Die Bewertung ist abgelehnt und steht nicht auf der Startseite.",
          changed:
            "Es ist nichts geschehen: Die Bewertung wurde geändert, nachdem Sie sie gelesen haben. So lautet sie jetzt.",
        }}
      />
      <h1>Bewertungen</h1>
      <section aria-labelledby="wartend">
        <h2 id="wartend">Warten auf Sie</h2>
        <If test="waiting" otherwise={<p className="desk-empty">Keine Bewertung wartet.</p>}>
          <ul className="desk-cards stack" data-gap="4" data-above="5">
            <Each entry="review" list="waiting">
              <Review />
            </Each>
          </ul>
        </If>
      </section>
      <If test="judged">
        <section aria-labelledby="entschieden">
          <h2 id="entschieden">Entschieden</h2>
          <ul className="desk-cards stack" data-gap="4" data-above="5">
            <Each entry="review" list="judged">
              <Review />
            </Each>
          </ul>
        </section>
      </If>
    </>
  );
}

function Review() {
  return (
    <li className="desk-card card stack" data-state={slot("review.state")} data-review={slot("review.state")}>
      <h3>{slot("review.firm_name")}</h3>
      <p>
        <strong>{slot("review.stars")} von 5 Sternen</strong>, {slot("review.name")} aus {slot("review.postal_code")}
      </p>
      <If test="review.text">
        <blockquote className="quote">{slot("review.text")}</blockquote>
      </If>
      <p className="hint">
        Vom {slot("review.written_at | time")}, zur{" "}
        <a href={`/anfragen/${slot("review.inquiry")}`}>Anfrage {slot("review.reference")}</a>
      </p>
      <p>
        <span className="desk-badge" data-state={slot("review.state")}>
          <Named value="review.state" names={REVIEWS} />
        </span>
      </p>
      <If test="not review.consent">
        <p className="hint">Die Person hat der Veröffentlichung nicht zugestimmt.</p>
      </If>
      <div className="cluster desk-card-form">
        <If test='review.consent and review.state != "published"'>
          <Verdict action="veroeffentlichen" label="Veröffentlichen" isFirst />
        </If>
        <If test='review.state != "rejected"'>
          <Verdict action="ablehnen" label="Ablehnen" />
        </If>
      </div>
    </li>
  );
}

function Verdict({ action, label, isFirst = false }: { action: string; label: string; isFirst?: boolean }) {
  return (
    <form method="post" action={`/bewertungen/${slot("review.id")}/${action}`}>
      <input type="hidden" name="written_at" value={slot("review.written_at")} />
      <button className={isFirst ? "button-plain" : "button-quiet"} type="submit">
        {label}
      </button>
    </form>
  );
}
