import { partNumber, serviceArea, serviceMap, zoneList } from "./map.ts";
import { MapHatching } from "./map-hatching.tsx";
import { areaPath, type Point, projectFrame } from "./projection.ts";
import { Water } from "./water.tsx";
import { UseSprite } from "../../drawings/sprite.tsx";

/** The width of the drawing in units; about as many pixels on a wide screen. */
const WIDTH = 640;
export const projection = projectFrame(serviceMap.frame, WIDTH);

const TITLE = "Karte der Hamburger Bezirke";

interface Props {
  /** Shows only the districts, for places without a legend. */
  isPlain?: boolean;
}

/** Draws Hamburg's districts in the tone and pattern of the part of the service area that they belong to. */
export function CityMap({ isPlain = false }: Props) {
  return (
    <svg
      className="map"
      viewBox={`0 0 ${projection.width} ${projection.height}`}
      role="img"
      aria-labelledby="city-map-title"
      aria-describedby="city-map-text"
    >
      <title id="city-map-title">{isPlain ? TITLE : `${TITLE} und Einsatzgebiete`}</title>
      <desc id="city-map-text">{isPlain ? zoneText() : `${partsText()} ${zoneText()}`}</desc>
      {isPlain ? <PlainGround /> : <UseSprite name="city-map" />}
      <Labels />
      {serviceMap.zones.map(({ name, at }) => (
        <Zone key={name} name={name} at={at} />
      ))}
    </svg>
  );
}

/** Draws the districts with the patterns of their parts, and the water: what the map shows without words. */
export function CityGround() {
  const parts = [...new Set(serviceMap.shapes.map(({ part }) => partNumber(part)))].sort();
  return (
    <>
      {parts.map((part) => (
        <clipPath key={part} id={clipId(part)}>
          {shapesOf(part).map(({ district, ring }) => (
            <path key={district} d={areaPath(ring, projection)} />
          ))}
        </clipPath>
      ))}
      {parts.map((part) => (
        <g key={part}>
          {shapesOf(part).map(({ district, ring }) => (
            <path key={district} className={`map-tone-${part}`} d={areaPath(ring, projection)} />
          ))}
          <MapHatching part={part} width={projection.width} height={projection.height} clip={clipId(part)} />
        </g>
      ))}
      {serviceMap.shapes.map(({ district, part, ring }) => (
        <path key={district + part} className="map-shape" d={areaPath(ring, projection)} />
      ))}
      <Water projection={projection} />
    </>
  );
}

function clipId(part: number): string {
  return `city-map-part-${part}`;
}

function shapesOf(number: number) {
  return serviceMap.shapes.filter(({ part }) => partNumber(part) === number);
}

/** Draws the districts in one tone, and the water. */
export function PlainGround() {
  return (
    <>
      {serviceMap.shapes.map(({ district, part, ring }) => (
        <path key={district + part} className="map-shape map-plain" d={areaPath(ring, projection)} />
      ))}
      <Water projection={projection} />
    </>
  );
}

/** Tells which districts belong to which part, and when it is served. */
function partsText(): string {
  return serviceArea.areas.map(({ name, covers, days }) => `${name} (${covers}): ${days}.`).join(" ");
}

function zoneText(): string {
  return `Die Postleitzahlen beginnen mit ${zoneList}.`;
}

/** Names the districts. */
export function Labels() {
  return serviceMap.shapes.map(({ district, part, label, at }) => (
    <Label key={district + part} lines={label} at={at} />
  ));
}

function Label({ lines, at }: { lines: string[]; at: Point }) {
  const { x, y } = projection.project(at);
  return (
    <text className="map-label" x={x} y={y}>
      {lines.map((line, index) => (
        <tspan key={line} x={x} dy={index === 0 ? `${(35 - (lines.length - 1) * 55) / 100}em` : "1.1em"}>
          {line}
        </tspan>
      ))}
    </text>
  );
}

/** Draws the first two digits of the postal codes around a place. */
function Zone({ name, at }: { name: string; at: Point }) {
  const { x, y } = projection.project(at);
  return (
    <text className="map-zone" x={x} y={y} dy="0.35em">
      {name}
    </text>
  );
}
