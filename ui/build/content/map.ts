import type { ServiceArea } from "./service-area.ts";
import type { Complain, Source } from "./source.ts";
import { z } from "zod";
import { oneOf, optionalNumber, table, tables, text, texts } from "./fields.ts";
import { closeRings } from "./map-rings.ts";
import { readToml } from "./toml.ts";

/** Bounds of the region around Hamburg, in degrees. Swapped coordinates and typing errors are far outside. */
const REGION = { west: 8.9, south: 52.9, east: 11.1, north: 54.2 };

const POINT = "a point is [longitude, latitude]";
const POINTS = "must be a list of at least two points";
const FRAME = "must be [west, south, east, north]";
const POSITIVE = "must be a number above 0";

export const point = z
  .tuple([z.number(POINT), z.number(POINT)], POINT)
  .refine(([east, north]) => east > REGION.west && east < REGION.east && north > REGION.south && north < REGION.north, {
    error: ({ input }) => `[${input}] is not near Hamburg; ${POINT}`.replace(",", ", "),
  });
const points = z.array(point, POINTS).min(2, POINTS);
const frame = z
  .tuple([z.number(FRAME), z.number(FRAME), z.number(FRAME), z.number(FRAME)], FRAME)
  .refine(([west, south, east, north]) => west < east && south < north, FRAME)
  .transform(([west, south, east, north]) => ({ west, south, east, north }));

/** Postal codes that the questionnaire takes. */
const TAKEN = "must be a postal code from 20000 to 22999: others are refused by the questionnaire";
const postalCode = z.string(TAKEN).regex(/^2[0-2]\d{3}$/, TAKEN);

/** What a licence asks to be stated. */
export const source = table({ owner: text, licence: text, licence_url: text, change: text });

const FILE = table({
  source,
  frame,
  circle: table({ center: point, radius_km: z.number(POSITIVE).positive(POSITIVE) }),
  line: tables({ name: text, points }),
  shape: tables({ district: text, part: text, border: texts, label: texts, at: point }),
  water: tables({ name: text, width_km: optionalNumber, points }),
  zone: tables({ name: text, at: point }),
  town: tables({ name: text, postal_code: postalCode, at: point, side: oneOf(["above", "below", "left", "right"]) }),
});

export type MapFile = z.output<typeof FILE>;

/**
 * Reads the map of the service area. Districts and parts must be those of `service-area.toml`. In the result, shapes
 * have rings of points instead of names of lines; `outline` has the lines of the city's border.
 */
export async function readMap(file: string, serviceArea: ServiceArea) {
  const origin = await readToml(file);
  const { source, frame: shown, circle, line, shape, water, zone: zones, town: towns } = origin.read(FILE);
  const shapes = withComplaints(origin, "shape", shape);
  checkNames(shapes, serviceArea);
  const { rings, outline } = closeRings(withComplaints(origin, "line", line), shapes);
  return {
    source,
    frame: shown,
    circle,
    shapes: shape.map(({ district, part, label, at }, index) => ({ district, part, label, at, ring: rings[index] })),
    outline,
    water,
    zones,
    towns,
  };
}

/** Pairs each table with the function that ends the build at one of its keys. */
function withComplaints<Table>(source: Source, name: string, list: Table[]) {
  return list.map((value, index) => ({ value, complain: source.complainAt(name, index) }));
}

/** Checks that every part and district of the service area is drawn, and nothing else. */
function checkNames(
  shapes: { value: MapFile["shape"][number]; complain: Complain }[],
  { areas, districts }: ServiceArea,
) {
  const parts = areas.map(({ name }) => name);
  const names = districts.map(({ name }) => name);
  for (const { value, complain } of shapes) {
    if (!parts.includes(value.part)) complain("part", `must be one of ${parts.join(", ")}`);
    if (!names.includes(value.district)) complain("district", `must be one of ${names.join(", ")}`);
  }
  const [first] = shapes;
  for (const part of parts) {
    if (!shapes.some(({ value }) => value.part === part)) first?.complain("part", `no shape belongs to ${part}`);
  }
  for (const name of names) {
    if (!shapes.some(({ value }) => value.district === name)) first?.complain("district", `${name} has no shape`);
  }
}
