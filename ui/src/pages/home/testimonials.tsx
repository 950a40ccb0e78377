import type { ReactNode } from "react";
import { Claim } from "../../template/claim.tsx";
import { SectionHeading } from "../../components/section.tsx";
import { Stars } from "../../components/stars.tsx";
import { IfSetting } from "../../template/settings.tsx";
import { Branch, Each, If, slot } from "../../template/template.tsx";
import { Carousel, Controls, Dot } from "./carousel.tsx";
import home from "../../../generated/home.json" with { type: "json" };

const ID = "testimonials-title";

/** Shows what clients report: published reviews or, for a sample operator without any, invented ones. */
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

/** The expression for each star, which the server fills in (`src/site/reviews.rs`). */
const STAR_CLASSES = ["one", "two", "three", "four", "five"].map((star) => slot(`item.star.${star}`));

/**
 * Says who can write a review and how it is checked (§ 5b Abs. 3 UWG), and lets the server repeat a slide for each
 * published review, with a dot if there are several.
 */
function Published() {
  return (
    <>
      <SectionHeading
        id={ID}
        title={home.testimonials.title}
        lead={`Durchschnitt ${slot("reviews.average")} von 5 aus ${slot("reviews.counted")}`}
      />
      {/* Without structured data: search engines call such markup of one's own reviews self-serving. */}
      <p className="testimonial-example measure hint" data-below="4">
        {home.testimonials.checked}
        <If test="reviews.part"> Zu sehen sind die neuesten {slot("reviews.part")}.</If>
      </p>
      <Carousel
        controls={
          <If test="reviews.has_several">
            <Controls>
              <Each entry="item" list="reviews.shown">
                <Branch
                  test="item.is_first"
                  render={(isCurrent) => (
                    <Dot index={slot("item.index")} number={slot("item.number")} isCurrent={isCurrent} />
                  )}
                />
              </Each>
            </Controls>
          </If>
        }
      >
        <Each entry="item" list="reviews.shown">
          <Testimonial
            place={slot("item.position")}
            name={slot("item.name")}
            initials={slot("item.initials")}
            position={slot("item.area")}
            stars={<Stars rating={slot("item.stars")} classOf={(star) => STAR_CLASSES[star - 1]} />}
            words={
              <If test="item.text">
                <p>{slot("item.text")}</p>
              </If>
            }
            about="Betrieb"
          >
            {slot("item.firm")}, {slot("item.month")}
          </Testimonial>
        </Each>
      </Carousel>
    </>
  );
}

function Examples() {
  const { title } = home.testimonials;
  const testimonials = home.testimonial;
  return (
    <>
      <SectionHeading id={ID} title={title} lead={<Claim name="rating_firms" />} />
      <p className="testimonial-example measure strong" data-below="4">
        Beispiele: Diese Berichte sind erfunden, ebenso alle Zahlen, und zeigen, wie Referenzen hier aussehen.
      </p>
      <Carousel
        controls={
          <Controls>
            {testimonials.map(({ name }, index) => (
              <Dot key={name} index={index} number={index + 1} isCurrent={index === 0} />
            ))}
          </Controls>
        }
      >
        {testimonials.map(({ name, position, rating, content, project_type }, index) => (
          <Testimonial
            key={name}
            place={`${index + 1} von ${testimonials.length}`}
            name={name}
            initials={initialsOf(name)}
            position={position}
            stars={<Stars rating={rating} classOf={(star) => (star <= rating ? "stars-full" : undefined)} />}
            words={<p>{content}</p>}
            about="Projekt"
          >
            {project_type}
          </Testimonial>
        ))}
      </Carousel>
    </>
  );
}

interface TestimonialProps {
  /** Its place among the slides, such as `1 von 3`. */
  place: string;
  name: string;
  initials: string;
  position: string;
  stars: ReactNode;
  words: ReactNode;
  /** What the line below the quotation refers to. */
  about: string;
  children: ReactNode;
}

/** Renders a client's report as a slide. */
function Testimonial({ place, name, initials, position, stars, words, about, children }: TestimonialProps) {
  return (
    <div className="carousel-slide" role="group" aria-roledescription="Referenz" aria-label={place}>
      <figure className="testimonial">
        <figcaption>
          <strong>{name}</strong>
          <span className="hint">{position}</span>
        </figcaption>
        <span className="testimonial-initials" aria-hidden="true" data-initials={initials} />
        <div className="testimonial-words">
          {stars}
          <blockquote>{words}</blockquote>
          <p className="testimonial-project hint">
            <span>{about}</span> {children}
          </p>
        </div>
      </figure>
    </div>
  );
}

/** Returns the initials of a name, such as SK for Sabine Krüger. */
function initialsOf(name: string): string {
  const words = name.split(" ").slice(0, 2);
  return words.map((word) => word.charAt(0)).join("");
}
