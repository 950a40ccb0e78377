import { Link } from "../routing/router.ts";
import { SectionHeading } from "./section-heading.tsx";
import { Drawing } from "../drawings/drawing.tsx";
import { findDrawing } from "../drawings/drawings.ts";
import { home } from "./texts.ts";

export function Services() {
  const { title, lead } = home.services;
  return (
    <section className="section section-surface" id="services" aria-labelledby="services-title">
      <div className="wrap">
        <SectionHeading id="services-title" title={title} lead={lead} />
        <ul className="services">
          {home.service.map((service) => (
            <li key={service.title} className="service">
              <Drawing source={findDrawing(`services/${service.drawing}`)} className="service-icon" />
              <h3>{service.title}</h3>
              <p>{service.text}</p>
              <Link to="/fragebogen" aria-label={`Angebote einholen: ${service.title}`}>
                Angebote einholen
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
