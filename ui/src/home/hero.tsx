import { Drawing } from "../drawings/drawing.tsx";
import { findDrawing } from "../drawings/drawings.ts";
import { Link } from "../routing/router.ts";
import { home } from "./texts.ts";

/**
 * Asks for the building. The tiles are links; `enhancements/tiles.ts` highlights the choice before the questionnaire
 * opens.
 */
export function Hero() {
  return (
    <section className="hero" aria-labelledby="hero-question">
      <div className="wrap hero-content">
        <h1 id="hero-question">{home.hero.question}</h1>
        <p className="hero-lead">{home.hero.lead}</p>
        <Drawing source={findDrawing("scenes/flock")} className="dusk hero-birds" />
        <ul className="tiles" data-enhancement="tiles">
          {home.tiles.map(({ id, title, description }) => (
            <li key={id}>
              <Link className="tile" to={`/fragebogen?propertyType=${id}&step=1`}>
                <Drawing source={findDrawing(`buildings/${id}`)} className="tile-drawing" />
                <span className="tile-title">{title}</span>
                <span className="tile-description">{description}</span>
              </Link>
            </li>
          ))}
        </ul>
        <ul className="promises">
          {home.hero.promises.map((promise) => (
            <li key={promise}>{promise}</li>
          ))}
        </ul>
      </div>
      <Drawing source={findDrawing("scenes/harbour")} className="dusk hero-scene" />
    </section>
  );
}
