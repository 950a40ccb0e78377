import { Branch, Each, If, slot } from "../../template/template.tsx";
import { Controls, Quote, Slide } from "./testimonial.tsx";
import { StarRow } from "../../components/stars.tsx";
import home from "../../../generated/home.json" with { type: "json" };

/** What the server fills in for each star (`src/site/reviews.rs`). */
const STAR_CLASSES = ["one", "two", "three", "four", "five"].map((star) => slot(`item.star.${star}`));

/**
 * Says who can write a review and how it is checked (§ 5b Abs. 3 UWG). Nothing of it is structured data: search engines
 * show no stars for reviews that a site publishes of itself, and call such markup self-serving.
 */
export function WhatReviewsAre() {
  return (
    <p className="testimonial-example">
      {home.testimonials.checked}
      <If test="reviews.part"> Zu sehen sind die neuesten {slot("reviews.part")}.</If>
    </p>
  );
}

/** Lets the server repeat a slide for each review that is shown. */
export function ReviewSlides() {
  return (
    <Each entry="item" list="reviews.shown">
      <Slide position={slot("item.position")}>
        <Quote name={slot("item.name")} initials={slot("item.initials")} position={slot("item.area")}>
          <StarRow classOf={(star) => STAR_CLASSES[star - 1]} rating={slot("item.stars")} />
          <blockquote>
            <If test="item.text">
              <p>{slot("item.text")}</p>
            </If>
          </blockquote>
          <p className="testimonial-project hint">
            <span>Betrieb</span> {slot("item.firm")}, {slot("item.month")}
          </p>
        </Quote>
      </Slide>
    </Each>
  );
}

/** The controls of the slides, unless there is only one. */
export function ReviewControls() {
  return (
    <If test="reviews.has_several">
      <Controls>
        <Each entry="item" list="reviews.shown">
          <Branch test="item.is_first" render={dot} />
        </Each>
      </Controls>
    </If>
  );
}

function dot(isCurrent: boolean) {
  return (
    <button
      type="button"
      data-carousel-dot={slot("item.index")}
      aria-label={`Referenz ${slot("item.number")} anzeigen`}
      aria-current={isCurrent ? "true" : undefined}
    />
  );
}
