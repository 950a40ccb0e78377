import { Claim } from "../../template/claim.tsx";
import { IfSetting } from "../../template/settings.tsx";
import { Drawing } from "../../drawings/drawing.tsx";
import { findDrawing } from "../../drawings/drawings.ts";
import home from "../../../generated/home.json" with { type: "json" };

/**
 * Asks for the kind of building. The tiles are links; `enhancements/tiles.ts` highlights the choice before the
 * questionnaire opens.
 */
export function Hero() {
  return (
    <section className="hero" aria-labelledby="hero-question">
      <div className="layout-wrap hero-content">
        <p className="hero-claim strong">{home.hero.offer}</p>
        <h1 id="hero-question">{home.hero.question}</h1>
        <p className="hero-lead">{home.hero.lead}</p>
        <Drawing source={findDrawing("scenes/flock")} className="hero-dusk hero-birds screen-only" />
        <ul className="hero-tiles" data-enhancement="tiles">
          {home.tiles.map(({ id, title, description }) => (
            <li key={id}>
              <a className="hero-tile tile" href={`/fragebogen?propertyType=${id}&step=1`}>
                <Drawing source={findDrawing(`buildings/${id}`)} className="hero-tile-drawing" />
                <span className="hero-tile-title">{title}</span>
                <span className="hero-tile-description hint">{description}</span>
              </a>
            </li>
          ))}
        </ul>
        <ul className="hero-promises cluster">
          {home.hero.promises.map((promise) => (
            <li key={promise}>{promise}</li>
          ))}
          <IfSetting name="claims.offers">
            <li>
              <Claim name="offers" />
            </li>
          </IfSetting>
        </ul>
      </div>
      <Drawing source={findDrawing("scenes/harbour")} className="hero-dusk hero-scene screen-only" />
    </section>
  );
}
