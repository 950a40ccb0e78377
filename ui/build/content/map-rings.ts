import type { Complain } from "./source.ts";

/** Longitude and latitude. */
export type Point = [number, number];
export type LineTable = { value: { name: string; points: Point[] }; complain: Complain };
export type ShapeTable = { value: { border: string[] }; complain: Complain };
export type Line = { name: string; points: Point[]; uses: boolean[]; complain: Complain };
export type Lines = Map<string, Line>;

/**
 * Joins border lines to rings, one for each shape, and checks that the shapes fit together: each line belongs to one
 * shape, or to two that use it in opposite directions. Returns the rings and the lines of the outer border.
 */
export function closeRings(lines: LineTable[], shapes: ShapeTable[]) {
  const byName: Lines = new Map();
  for (const { value, complain } of lines) {
    if (byName.has(value.name)) complain("name", `${value.name} is there twice`);
    byName.set(value.name, { ...value, uses: [], complain });
  }
  const rings = shapes.map((shape) => closeRing(shape, byName));
  for (const line of byName.values()) checkUses(line);
  const outer = [...byName.values()].filter(({ uses }) => uses.length === 1);
  return { rings, outline: outer.map(({ uses: [isForward], points }) => (isForward ? points : points.toReversed())) };
}

function closeRing({ value, complain }: ShapeTable, lines: Lines) {
  const ring: Point[] = [];
  const walked = value.border.map((step) => walk(step, lines, complain));
  for (const [index, { step, points }] of walked.entries()) {
    const before = walked.at(index - 1);
    if (String(before?.points.at(-1)) !== String(points[0])) {
      complain("border", `${step} begins at [${points[0]}], but ${before?.step} ends at [${before?.points.at(-1)}]`);
    }
    ring.push(...points.slice(1));
  }
  return ring;
}

function walk(step: string, lines: Lines, complain: Complain) {
  const isForward = !step.startsWith("-");
  const line = lines.get(isForward ? step : step.slice(1));
  if (!line) return complain("border", `there is no line ${step}`);
  line.uses.push(isForward);
  return { step, points: isForward ? line.points : line.points.toReversed() };
}

function checkUses({ name, uses, complain }: Line) {
  if (uses.length === 0) complain("name", `no shape has ${name} as its border`);
  if (uses.length > 2) complain("name", `${name} is the border of ${uses.length} shapes`);
  if (uses.length === 2 && uses[0] === uses[1]) complain("name", `${name} is walked twice in the same direction`);
}
