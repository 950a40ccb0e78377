import { renderToStaticMarkup } from "react-dom/server";
import postalCodes from "../../../generated/postal-codes.json" with { type: "json" };
import { findDrawing } from "../../drawings/drawings.ts";
import { serviceMap } from "./map.ts";
import { Labels } from "./map-figure.tsx";

/** The drawing's north-west corner in degrees, and its units per degree of longitude and of latitude there. */
const WEST = 9.69;
const NORTH = 53.75;
const UNITS = { longitude: 969.7, latitude: 1632.2 };

/** Returns the map for the operator's report, on which the server draws inquiries (`src/operate/report/map.rs`). */
export function reportMap() {
  const { width, height, body } = findDrawing("maps/districts");
  const places = Object.entries(postalCodes.centers).map(([code, [longitude = 0, latitude = 0]]) => [
    code,
    { x: Math.round((longitude - WEST) * UNITS.longitude), y: Math.round((NORTH - latitude) * UNITS.latitude) },
  ]);
  return {
    width,
    height,
    ground: body + renderToStaticMarkup(<Labels labels={serviceMap.districts} className="map-label" />),
    places: Object.fromEntries(places),
    sources: [serviceMap.source, postalCodes.source],
  };
}
