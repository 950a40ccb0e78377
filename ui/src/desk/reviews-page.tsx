import { Notices } from "../components/notice.tsx";
import { Each, If, slot } from "../template/template.tsx";
import { Badge } from "./template.tsx";
import { REVIEWS } from "./words.ts";
import { PostButton } from "../components/submit.tsx";

const REVIEW = `/bewertungen/${slot("review.id")}`;

/** A decision applies only to the version that was read. */
const READ = { written_at: slot("review.written_at") };

/** Renders visitors' reviews of firms: first those that await a decision, then the rest. */
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
          <Reviews list="waiting" />
        </If>
      </section>
      <If test="judged">
        <section aria-labelledby="entschieden">
          <h2 id="entschieden">Entschieden</h2>
          <Reviews list="judged" />
        </section>
      </If>
    </>
  );
}

function Reviews({ list }: { list: string }) {
  return (
    <ul className="desk-cards stack" data-gap="4" data-above="5">
      <Each entry="review" list={list}>
        <li className="desk-card card stack" data-state={slot("review.state")} data-review={slot("review.state")}>
          <h3>{slot("review.firm_name")}</h3>
          <p>
            <strong>{slot("review.stars")} von 5 Sternen</strong>, {slot("review.name")} aus{" "}
            {slot("review.postal_code")}
          </p>
          <If test="review.text">
            <blockquote className="quote">{slot("review.text")}</blockquote>
          </If>
          <p className="hint">
            Vom {slot("review.written_at | time")}, zur{" "}
            <a href={`/anfragen/${slot("review.inquiry")}`}>Anfrage {slot("review.reference")}</a>
          </p>
          <p>
            <Badge state="review.state" names={REVIEWS} />
          </p>
          <If test="not review.consent">
            <p className="hint">Der Kunde hat der Veröffentlichung nicht zugestimmt.</p>
          </If>
          <div className="cluster">
            <If test='review.consent and review.state != "published"'>
              <PostButton action={`${REVIEW}/veroeffentlichen`} sends={READ}>
                Veröffentlichen
              </PostButton>
            </If>
            <If test='review.state != "rejected"'>
              <PostButton action={`${REVIEW}/ablehnen`} sends={READ} look="button-quiet">
                Ablehnen
              </PostButton>
            </If>
          </div>
        </li>
      </Each>
    </ul>
  );
}
