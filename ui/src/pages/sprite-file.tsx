import home from "../../generated/home.json" with { type: "json" };
import { CityGround } from "../blog/map/city-map.tsx";
import { RegionGround } from "../blog/map/region-map.tsx";
import { findDrawing } from "../drawings/drawings.ts";
import { spriteId } from "../drawings/sprite.tsx";

/** The drawings of the home page below its first view. */
const DRAWINGS = [...home.steps, ...home.service].map(({ drawing }) => drawing).concat("scenes/office");

/** Renders the file of the drawings further down on a page; `sprite.tsx` shows its parts. */
export function SpriteFile() {
  return (
    <svg xmlns="http://www.w3.org/2000/svg">
      {[...new Set(DRAWINGS)].map((name) => (
        <g key={name} id={spriteId(name)} dangerouslySetInnerHTML={{ __html: findDrawing(name).body }} />
      ))}
      <g id="city-map">
        <CityGround />
      </g>
      <g id="region-map">
        <RegionGround />
      </g>
    </svg>
  );
}
