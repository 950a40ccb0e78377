import type { ReactNode } from "react";
import { If } from "../components/if.tsx";
import { Controls, Quote, Slide } from "./testimonial.tsx";
import { StarRow } from "./stars.tsx";
import { home } from "./texts.ts";

/** What the server fills in for each star (`src/site/reviews.rs`). */
const STAR_CLASSES = ["one", "two", "three", "four", "five"].map((star) => `{{ item.star.${star} }}`);

/**
 * Says who can write a review and how it is checked (§ 5b Abs. 3 UWG). Nothing of it is structured data: search engines
 * show no stars for reviews that a site publishes of itself, and call such markup self-serving.
 */
export function WhatReviewsAre() {
  return (
    <p className="testimonial-example">
      {home.testimonials.checked}
      <If test="reviews.part"> Zu sehen sind die neuesten {"{{ reviews.part }}"}.</If>
    </p>
  );
}

/** Lets the server repeat a slide for each review that is shown. */
export function ReviewSlides() {
  return (
    <EachReview>
      <Slide position="{{ item.position }}">
        <Quote name="{{ item.name }}" initials="{{ item.initials }}" position="{{ item.area }}">
          <StarRow classOf={(star) => STAR_CLASSES[star - 1]} rating="{{ item.stars }}" />
          <blockquote>
            <If test="item.text">
              <p>{"{{ item.text }}"}</p>
            </If>
          </blockquote>
          <p className="testimonial-project">
            <span>Betrieb</span> {"{{ item.firm }}"}, {"{{ item.month }}"}
          </p>
        </Quote>
      </Slide>
    </EachReview>
  );
}

/** The controls of the slides, unless there is only one. */
export function ReviewControls() {
  return (
    <If test="reviews.has_several">
      <Controls>
        <EachReview>
          <If test="item.is_first" otherwise={dot()}>
            {dot("true")}
          </If>
        </EachReview>
      </Controls>
    </If>
  );
}

function dot(current?: "true") {
  return (
    <button
      type="button"
      data-carousel-dot="{{ item.index }}"
      aria-label="Referenz {{ item.number }} anzeigen"
      aria-current={current}
    />
  );
}

function EachReview({ children }: { children: ReactNode }) {
  return (
    <>
      {"{% for item in reviews.shown %}"}
      {children}
      {"{% endfor %}"}
    </>
  );
}
