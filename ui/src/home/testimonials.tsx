import { SectionHeading } from "./section-heading.tsx";
import { home } from "./texts.ts";

export function Testimonials() {
  const { title, lead } = home.testimonials;
  return (
    <section className="section section-surface" id="testimonials" aria-labelledby="testimonials-title">
      <div className="wrap">
        <SectionHeading id="testimonials-title" title={title} lead={lead} />
        <ul className="testimonials">
          {home.testimonial.map(({ name, position, project_type, rating, content }) => (
            <li key={name}>
              <figure>
                <figcaption>
                  <strong>{name}</strong>
                  <span>{position}</span>
                </figcaption>
                <blockquote>
                  <p>{content}</p>
                </blockquote>
                <p className="testimonial-project">
                  {project_type}, {rating} von 5 Sternen
                </p>
              </figure>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
