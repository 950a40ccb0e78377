import { fail, lineOf } from "../fail.mjs";
import { checkFields, oneOf, optionalNumber, text, texts } from "./fields.mjs";
import { closeRings } from "./map-rings.mjs";
import { checkTables, checkTopLevel } from "./toml-tables.mjs";
import { readToml } from "./toml.mjs";

/** Degrees that a map of the region around Hamburg can have: a swapped pair or a slip is far outside. */
const REGION = { west: 8.9, south: 52.9, east: 11.1, north: 54.2 };

const SOURCE = { owner: text, licence: text, licence_url: text, change: text };
const LINE = { name: text, points };
const SHAPE = { district: text, part: text, border: texts, label: texts, at: point };
const WATER = { name: text, width_km: optionalNumber, points };
const PLACE = { name: text, at: point };
const TOWN = { ...PLACE, side: oneOf(["above", "below", "left", "right"]) };
const KNOWN = ["source", "frame", "circle", "line", "shape", "water", "zone", "town"];

/**
 * Reads the map of the service area. Districts and parts must be those of `service-area.toml`. The answer holds rings
 * of points, no lines to resolve; `outline` is the city's border, in lines that no two shapes share.
 */
export async function readMap(file, serviceArea) {
  const { source, data } = await readToml(file);
  checkTopLevel(file, source, data, KNOWN);
  const tables = (name, fields) => checkTables(file, source, data, name, fields);
  const shapes = tables("shape", SHAPE);
  checkNames(shapes, serviceArea);
  const { rings, outline } = closeRings(tables("line", LINE), shapes);
  const circle = data.circle ?? {};
  const at = (key) => (message) => fail(file, lineOf(source, key), `${key}: ${message}`);
  return {
    source: checkFields(file, source, data.source ?? {}, SOURCE),
    frame: frame(data.frame, at("frame")),
    circle: { center: point(circle.center, at("center")), radius_km: positive(circle.radius_km, at("radius_km")) },
    shapes: shapes.map(({ value: { district, part, label, at: place } }, index) => {
      return { district, part, label, at: place, ring: rings[index] };
    }),
    outline,
    water: tables("water", WATER).map(({ value }) => value),
    zones: tables("zone", PLACE).map(({ value }) => value),
    towns: tables("town", TOWN).map(({ value }) => value),
  };
}

/** Every part and district of the service area is drawn, and nothing else is. */
function checkNames(shapes, { areas, districts }) {
  const parts = areas.map(({ name }) => name);
  const names = districts.map(({ name }) => name);
  for (const { value, complain } of shapes) {
    if (!parts.includes(value.part)) complain("part", `must be one of ${parts.join(", ")}`);
    if (!names.includes(value.district)) complain("district", `must be one of ${names.join(", ")}`);
  }
  const [{ complain }] = shapes;
  for (const part of parts) {
    if (!shapes.some(({ value }) => value.part === part)) complain("part", `no shape belongs to ${part}`);
  }
  for (const name of names) {
    if (!shapes.some(({ value }) => value.district === name)) complain("district", `${name} has no shape`);
  }
}

function points(value, complain) {
  if (!Array.isArray(value) || value.length < 2) complain("must be a list of at least two points");
  return value.map((one) => point(one, complain));
}

function point(value, complain) {
  const isPair = Array.isArray(value) && value.length === 2 && value.every((number) => typeof number === "number");
  if (!isPair) complain("a point is [longitude, latitude]");
  const [east, north] = value;
  const isNear = east > REGION.west && east < REGION.east && north > REGION.south && north < REGION.north;
  if (!isNear) complain(`[${east}, ${north}] is not near Hamburg; a point is [longitude, latitude]`);
  return value;
}

function frame(value, complain) {
  if (!Array.isArray(value) || value.length !== 4) complain("must be [west, south, east, north]");
  const [west, south, east, north] = value;
  if (!(west < east && south < north)) complain("must be [west, south, east, north]");
  return { west, south, east, north };
}

function positive(value, complain) {
  if (typeof value !== "number" || value <= 0) complain("must be a number above 0");
  return value;
}
