import { useEffect, useRef, useState, type MouseEvent } from "react";
import hero from "../../generated/hero.json" with { type: "json" };
import { Link, useNavigate } from "../routing/router.ts";
import { PropertyIcon } from "./property-icon.tsx";
import { Skyline } from "./skyline.tsx";

/** Milliseconds for which a chosen tile is highlighted before the questionnaire opens. */
const SELECTION_DELAY = 200;

/** Where a tile leads. */
export function questionnaireAddress(propertyType: string): string {
  return `/fragebogen?propertyType=${propertyType}&step=1`;
}

/** Asks for the building. The tiles are links, so they work before and without JavaScript. */
export function Hero() {
  const { selected, choose } = useSelection();
  return (
    <section className="hero" aria-labelledby="hero-question">
      <div className="wrap hero-content">
        <h1 id="hero-question">{hero.question}</h1>
        <p className="hero-lead">{hero.lead}</p>
        <ul className="tiles">
          {hero.tiles.map(({ id, title, description }) => (
            <li key={id}>
              <Link
                className="tile"
                to={questionnaireAddress(id)}
                data-selected={selected === id || undefined}
                onClick={(event) => choose(event, id)}
              >
                <PropertyIcon id={id} />
                <span className="tile-title">{title}</span>
                <span className="tile-description">{description}</span>
              </Link>
            </li>
          ))}
        </ul>
        <ul className="promises">
          {hero.promises.map((promise) => (
            <li key={promise}>{promise}</li>
          ))}
        </ul>
      </div>
      <Skyline />
    </section>
  );
}

function useSelection() {
  const navigate = useNavigate();
  const [selected, setSelected] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const open = (id: string) => {
    try {
      void navigate(questionnaireAddress(id));
    } catch {
      window.location.assign("/fragebogen");
    }
  };

  const choose = (event: MouseEvent, id: string) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    setSelected(id);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => open(id), SELECTION_DELAY);
  };

  return { selected, choose };
}
