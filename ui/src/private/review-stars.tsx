import type { ReactNode } from "react";
import { If } from "../components/if.tsx";
import { STAR } from "../home/stars.tsx";
import { describedBy, idOf, ReviewHint } from "./review-field.tsx";

const NAME = "sterne";
const ERROR = "review.stars_error";
const STARS = [1, 2, 3, 4, 5];

/**
 * Asks for 1 to 5 stars: radio buttons that look like stars, of which those up to the chosen one are full. Arrow keys
 * move the choice as in any group of radio buttons, without a script.
 */
export function ReviewStars() {
  const { "aria-describedby": described } = describedBy(NAME, ERROR);
  return (
    <fieldset
      className="review-stars field"
      aria-describedby={described}
      data-invalid={`{{ "true" if ${ERROR} else "false" }}`}
    >
      <legend className="field-label">Wie viele Sterne geben Sie?</legend>
      <ReviewHint name={NAME} error={ERROR}>
        Ein Stern heißt unzufrieden, fünf heißen sehr zufrieden.
      </ReviewHint>
      <div className="review-stars-row">
        {STARS.map((count) => (
          <label className="review-stars-star" key={count}>
            <Choice count={count} />
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

/** The summary of errors leads to the first. */
function Choice({ count }: { count: number }) {
  const input = (isChosen: boolean): ReactNode => (
    <input
      type="radio"
      name="stars"
      value={count}
      {...(count === 1 && { id: idOf(NAME) })}
      {...(isChosen && { defaultChecked: true })}
    />
  );
  return (
    <If test={`review.stars == "${count}"`} otherwise={input(false)}>
      {input(true)}
    </If>
  );
}
