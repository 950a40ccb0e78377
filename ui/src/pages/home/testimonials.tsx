import type { ReactNode } from "react";
import { If, slot } from "../../template/template.tsx";
import { SectionHeading } from "../../components/section.tsx";
import { IfSetting } from "../../template/settings.tsx";
import { ReviewControls, ReviewSlides, WhatReviewsAre } from "./reviews.tsx";
import { Carousel, Controls, Slide, Testimonial } from "./testimonial.tsx";
import home from "../../../generated/home.json" with { type: "json" };

const ID = "testimonials-title";

/** Shows what clients report: the reviews that are published, or, as long as the sample operator has none, invented ones. */
export function Testimonials() {
  return (
    <IfSetting name="testimonials">
      <section className="home-section home-section-surface" id="testimonials" aria-labelledby={ID}>
        <div className="layout-wrap">
          <If test="reviews" otherwise={<Examples />}>
            <Published />
          </If>
        </div>
      </section>
    </IfSetting>
  );
}

function Published() {
  return (
    <>
      <SectionHeading
        id={ID}
        title={home.testimonials.title}
        lead={`Durchschnitt ${slot("reviews.average")} von 5 aus ${slot("reviews.counted")}`}
      />
      <WhatReviewsAre />
      <Carousel controls={<ReviewControls />}>
        <ReviewSlides />
      </Carousel>
    </>
  );
}

function Examples() {
  const { title, lead } = home.testimonials;
  const testimonials = home.testimonial;
  const dots: ReactNode[] = testimonials.map(({ name }, index) => (
    <button
      key={name}
      type="button"
      data-carousel-dot={index}
      aria-label={`Referenz ${index + 1} anzeigen`}
      aria-current={index === 0 ? "true" : undefined}
    />
  ));
  return (
    <>
      <SectionHeading id={ID} title={title} lead={lead} claim="rating_firms" />
      <p className="testimonial-example">
        Beispiele: Diese Berichte sind erfunden und zeigen, wie Referenzen hier aussehen.
      </p>
      <Carousel controls={<Controls>{dots}</Controls>}>
        {testimonials.map((testimonial, index) => (
          <Slide key={testimonial.name} position={`${index + 1} von ${testimonials.length}`}>
            <Testimonial {...testimonial} />
          </Slide>
        ))}
      </Carousel>
    </>
  );
}
