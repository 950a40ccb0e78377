import generated from "../../../generated/map.json" with { type: "json" };
import area from "../../../generated/service-area.json" with { type: "json" };

/** A name on a map, in units of its drawing. `dx` and `dy` offset it by widths of its letters. */
export interface Label {
  lines: string[];
  x: number;
  y: number;
  dx?: string;
  dy: string;
  anchor?: string;
}

/** The contents of `content/map.json`. Only for pages that are rendered at build time. */
export interface ServiceMap {
  source: { owner: string; licence: string; licence_url: string; change: string };
  radius_km: number;
  districts: Label[];
  zones: Label[];
  towns: Label[];
}

export const serviceMap: ServiceMap = generated;

/** The texts of `content/service-area.toml`: parts, districts, and the city's peculiarities. */
export const serviceArea = area;

/** "20, 21 oder 22". */
export const zoneList = new Intl.ListFormat("de-DE", { type: "disjunction" }).format(
  serviceMap.zones.flatMap(({ lines }) => lines),
);
