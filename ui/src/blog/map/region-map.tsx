import { serviceMap, type Town } from "./map.ts";
import { areaPath, frameAround, linePath, projectFrame } from "./projection.ts";
import { Water } from "./water.tsx";
import { UseSprite } from "../../drawings/sprite.tsx";

const WIDTH = 400;
/** A margin around the circle, so that its line is not cut off. */
const MARGIN_KM = 1.5;

const { center, radius_km: radius } = serviceMap.circle;
const projection = projectFrame(frameAround(center, radius + MARGIN_KM), WIDTH);
const { x, y } = projection.project(center);
const r = Math.round(radius * projection.unitsPerKm);

/** Draws the service area as a circle, with Hamburg and the towns around it. */
export function RegionMap() {
  return (
    <svg
      className="map map-region"
      viewBox={`0 0 ${projection.width} ${projection.height}`}
      role="img"
      aria-labelledby="region-map-title"
      aria-describedby="region-map-text"
    >
      <title id="region-map-title">{`Karte des Umkreises von ${radius} km um Hamburg`}</title>
      <desc id="region-map-text">{`Im Umkreis liegen zum Beispiel ${townNames()}.`}</desc>
      <UseSprite name="region-map" />
      <text className="map-city-name" x={x} y={y} dy="-0.6em">
        Hamburg
      </text>
      {serviceMap.towns.map((town) => (
        <TownMark key={town.name} town={town} />
      ))}
    </svg>
  );
}

/** Draws the circle with the city and the water in it: what the map shows without words. */
export function RegionGround() {
  return (
    <>
      <clipPath id="region-map-circle">
        <circle cx={x} cy={y} r={r} />
      </clipPath>
      <circle className="map-land" cx={x} cy={y} r={r} />
      <g clipPath="url(#region-map-circle)">
        <path className="map-city" d={serviceMap.shapes.map(({ ring }) => areaPath(ring, projection)).join("")} />
        <Water projection={projection} />
        <path className="map-border" d={serviceMap.outline.map((line) => linePath(line, projection)).join("")} />
      </g>
      <circle className="map-circle" cx={x} cy={y} r={r} />
      <circle className="map-center" cx={x} cy={y} r={4} />
    </>
  );
}

function townNames(): string {
  const names = serviceMap.towns.map(({ name }) => name);
  return `${names.slice(0, -1).join(", ")} und ${names.at(-1)}`;
}

/** The distance and direction of a name from its dot. */
const OFFSETS: Record<string, { dx?: string; dy: string; textAnchor?: "start" | "end" }> = {
  above: { dy: "-0.5em" },
  below: { dy: "1.2em" },
  left: { dx: "-0.5em", dy: "0.35em", textAnchor: "end" },
  right: { dx: "0.5em", dy: "0.35em", textAnchor: "start" },
};

function TownMark({ town }: { town: Town }) {
  const { x, y } = projection.project(town.at);
  return (
    <>
      <circle className="map-town" cx={x} cy={y} r={3} />
      <text className="map-town-name" x={x} y={y} {...OFFSETS[town.side]}>
        {town.name}
      </text>
    </>
  );
}
