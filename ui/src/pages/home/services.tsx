import { DrawingImage } from "../../drawings/drawing-image.tsx";
import { SectionHeading } from "../../components/section.tsx";
import home from "../../../generated/home.json" with { type: "json" };

/** The most common methods come first in content/home.toml and are shown large. */
const MAIN_SERVICES = 2;

/** Shows what the firms do: two main methods, and the rest as a list. */
export function Services() {
  const { title, lead } = home.services;
  return (
    <section className="home-section home-section-surface" id="services" aria-labelledby="services-title">
      <div className="layout-wrap">
        <SectionHeading id="services-title" title={title} lead={lead} claim="experience_services" />
        <div className="services">
          <ul className="services-main">
            {home.service.slice(0, MAIN_SERVICES).map((service) => (
              <Service key={service.title} service={service} />
            ))}
          </ul>
          <ul className="services-more">
            {home.service.slice(MAIN_SERVICES).map((service) => (
              <Service key={service.title} service={service} />
            ))}
          </ul>
        </div>
      </div>
    </section>
  );
}

function Service({ service: { drawing, title, text, article } }: { service: (typeof home.service)[number] }) {
  return (
    <li className="services-item">
      <div className="services-picture">
        <DrawingImage name={drawing} />
      </div>
      <div className="services-text">
        <h3>{title}</h3>
        <p className="soft">{text}</p>
        <p className="cluster" data-gap="line">
          <a className="semibold touch" href="/fragebogen" aria-label={`Angebote einholen: ${title}`}>
            Angebote einholen
          </a>
          <a className="touch" href={`/blog/${article}`} aria-label={`Mehr im Ratgeber: ${title}`}>
            Mehr im Ratgeber
          </a>
        </p>
      </div>
    </li>
  );
}
