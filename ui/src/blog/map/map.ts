import generated from "../../../generated/map.json" with { type: "json" };
import area from "../../../generated/service-area.json" with { type: "json" };
import type { Frame, Point } from "./projection.ts";

/** The map of `content/map.json`; tests hold it to known places. For pages that are rendered at build time. */
export interface ServiceMap {
  source: { owner: string; licence: string; licence_url: string; change: string };
  frame: Frame;
  circle: { center: Point; radius_km: number };
  shapes: { district: string; part: string; label: string[]; at: Point; ring: Point[] }[];
  outline: Point[][];
  water: { name: string; width_km: number | null; points: Point[] }[];
  zones: Place[];
  towns: Town[];
}

export interface Place {
  name: string;
  at: Point;
}

export interface Town extends Place {
  /** The side of the dot that the name is on. */
  side: string;
}

export const serviceMap: ServiceMap = generated;

/** The texts of `content/service-area.toml`: parts, districts, and what is special about the city. */
export const serviceArea = area;

/** Returns the number of a part, from 1, which `map.css` and `map-hatching.tsx` use. */
export function partNumber(name: string): number {
  return serviceArea.areas.findIndex((part) => part.name === name) + 1;
}

/** "20, 21 oder 22". */
export const zoneList = new Intl.ListFormat("de-DE", { type: "disjunction" }).format(
  serviceMap.zones.map(({ name }) => name),
);
