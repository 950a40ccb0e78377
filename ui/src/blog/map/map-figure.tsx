import type { ReactNode } from "react";
import { findDrawing, findDrawingFile } from "../../drawings/drawings.ts";
import { type Label, serviceArea, serviceMap, zoneList } from "./map.ts";

const TITLE = "Karte der Hamburger Bezirke";
const ZONES = `Die Postleitzahlen beginnen mit ${zoneList}.`;
const PARTS = serviceArea.areas.map(({ name, covers, days }) => `${name} (${covers}): ${days}.`).join(" ");
const TOWNS = new Intl.ListFormat("de-DE").format(serviceMap.towns.flatMap(({ lines }) => lines));

/**
 * Shows Hamburg's districts and the source of their borders, in the tone and pattern of their part of the service area;
 * `isPlain` is for places without a legend.
 */
export function MapFigure({ isPlain = false }: { isPlain?: boolean }) {
  const { owner, licence, licence_url, change } = serviceMap.source;
  return (
    <figure className="map-figure">
      <ServiceMap
        name={isPlain ? "districts" : "city"}
        title={isPlain ? TITLE : `${TITLE} und Einsatzgebiete`}
        text={isPlain ? ZONES : `${PARTS} ${ZONES}`}
      >
        <Labels labels={serviceMap.districts} className="map-label" />
        <Labels labels={serviceMap.zones} className="map-zone" />
      </ServiceMap>
      <figcaption>
        {owner} (
        <a href={licence_url} rel="license">
          {licence}
        </a>
        ), {change}
      </figcaption>
    </figure>
  );
}

/** Shows the service area as a circle, with Hamburg and the towns around it. */
export function RegionFigure() {
  const { radius_km: radius, towns } = serviceMap;
  return (
    <figure className="map-figure">
      <ServiceMap
        name="region"
        title={`Karte des Umkreises von ${radius} km um Hamburg`}
        text={`Im Umkreis liegen zum Beispiel ${TOWNS}.`}
      >
        <text className="map-city-name" x="50%" y="50%" dy="-0.6em">
          Hamburg
        </text>
        <Labels labels={towns} className="map-town-name" />
      </ServiceMap>
      <figcaption>
        Der gestrichelte Kreis: {radius} km um das Rathaus. Angenommen werden nur Postleitzahlen, die mit {zoneList}{" "}
        beginnen.
      </figcaption>
    </figure>
  );
}

/** A map of `content/maps` with its labels. */
function ServiceMap({
  name,
  title,
  text,
  children,
}: {
  name: string;
  title: string;
  text: string;
  children: ReactNode;
}) {
  const { width, height } = findDrawing(`maps/${name}`);
  return (
    <svg
      className="map"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-labelledby={`${name}-map-title`}
      aria-describedby={`${name}-map-text`}
    >
      <title id={`${name}-map-title`}>{title}</title>
      <desc id={`${name}-map-text`}>{text}</desc>
      <use href={`${findDrawingFile(`maps/${name}`)}#map`} />
      {children}
    </svg>
  );
}

/** Renders names on a map. */
export function Labels({ labels, className }: { labels: Label[]; className: string }) {
  return labels.map(({ lines, x, y, dx, dy, anchor }) => (
    <text key={lines.join("")} className={className} x={x} y={y} textAnchor={anchor as "start"}>
      {lines.map((line, index) => (
        <tspan key={line} x={x} dx={dx} dy={index === 0 ? dy : "1.1em"}>
          {line}
        </tspan>
      ))}
    </text>
  ));
}
