import assert from "node:assert/strict";
import { test } from "node:test";
import { partNumber, serviceArea, serviceMap } from "./map.ts";
import { areaPath, frameAround, linePath, type Point, projectFrame } from "./projection.ts";

/** Well-known places and their districts. */
const PLACES: [string, Point, string][] = [
  ["the town hall", [9.9924, 53.5503], "Hamburg-Mitte"],
  ["St. Michaelis", [9.9789, 53.5484], "Hamburg-Mitte"],
  ["the airport", [9.9912, 53.634], "Hamburg-Nord"],
  ["Blankenese", [9.8, 53.562], "Altona"],
  ["Rissen", [9.757, 53.587], "Altona"],
  ["Schnelsen", [9.921, 53.635], "Eimsbüttel"],
  ["Volksdorf", [10.165, 53.649], "Wandsbek"],
  ["Duvenstedt", [10.1, 53.706], "Wandsbek"],
  ["Bergedorf", [10.213, 53.486], "Bergedorf"],
  ["Kirchwerder", [10.18, 53.42], "Bergedorf"],
  ["Harburg's town hall", [9.981, 53.4605], "Harburg"],
  ["Wilhelmsburg", [10.0, 53.495], "Hamburg-Mitte"],
  ["Finkenwerder", [9.86, 53.53], "Hamburg-Mitte"],
];

test("known places lie in their districts, and in no other", () => {
  for (const [name, point, district] of PLACES) {
    const found = serviceMap.shapes.filter(({ ring }) => isInside(point, ring)).map((shape) => shape.district);
    assert.deepEqual(found, [district], name);
  }
});

test("towns around Hamburg lie in the circle and outside the city", () => {
  const { center, radius_km: radius } = serviceMap.circle;
  const { project, unitsPerKm } = projectFrame(frameAround(center, radius), 1000);
  const middle = project(center);
  for (const { name, at } of serviceMap.towns) {
    const { x, y } = project(at);
    assert.ok(Math.hypot(x - middle.x, y - middle.y) <= radius * unitsPerKm, `${name} is in the circle`);
    assert.ok(!serviceMap.shapes.some(({ ring }) => isInside(at, ring)), `${name} is outside`);
  }
});

test("districts fit together: each border is shared or belongs to the outline", () => {
  const edges = new Map<string, number>();
  for (const { ring } of serviceMap.shapes)
    for (const edge of edgesOf(ring)) edges.set(edge, (edges.get(edge) ?? 0) + 1);
  const lonely = [...edges].filter(([edge]) => !edges.has(edge.split(" ").toReversed().join(" ")));
  const outline = serviceMap.outline.reduce((sum, line) => sum + line.length - 1, 0);
  assert.ok([...edges.values()].every((count) => count === 1));
  assert.equal(lonely.length, outline);
});

test("a kilometre is as long to the north as to the east", () => {
  const { project, unitsPerKm } = projectFrame({ west: 9.5, south: 53.3, east: 10.5, north: 53.8 }, 2000);
  const [start, east, north] = [
    [10, 53.55],
    [10.1, 53.55],
    [10, 53.6],
  ].map(project);
  assert.ok(start && east && north);
  assert.ok(Math.abs((east.x - start.x) / unitsPerKm - 6.61) < 0.05, "0.1 degrees of longitude are 6.61 km");
  assert.ok(Math.abs((start.y - north.y) / unitsPerKm - 5.56) < 0.05, "0.05 degrees of latitude are 5.56 km");
});

test("a frame's corners are the drawing's corners", () => {
  const projection = projectFrame({ west: 9, south: 53, east: 11, north: 54 }, 500);
  assert.deepEqual(projection.project([9, 54]), { x: 0, y: 0 });
  assert.deepEqual(projection.project([11, 53]), { x: 500, y: projection.height });
  assert.equal(
    linePath(
      [
        [9, 54],
        [11, 53],
      ],
      projection,
    ),
    `M0 0l500 ${projection.height}`,
  );
  assert.equal(
    areaPath(
      [
        [9, 54],
        [11, 54],
        [11, 53],
      ],
      projection,
    ),
    `M0 0l500 0 0 ${projection.height}Z`,
  );
});

test("every part has a number", () => {
  assert.deepEqual(
    serviceArea.areas.map(({ name }) => partNumber(name)),
    [1, 2, 3, 4],
  );
});

test("the map shows the districts and parts of the service area, and no others", () => {
  const { areas, districts } = serviceArea;
  const names = (list: readonly { name: string }[]) => list.map(({ name }) => name).toSorted();
  const shown = (key: "district" | "part") => [...new Set(serviceMap.shapes.map((shape) => shape[key]))].toSorted();
  assert.deepEqual(shown("district"), names(districts));
  assert.deepEqual(shown("part"), names(areas));
});

/** Counts how often a line to the east crosses the ring. */
function isInside([x = 0, y = 0]: Point, ring: Point[]): boolean {
  let isIn = false;
  for (const [index, [x1 = 0, y1 = 0]] of ring.entries()) {
    const [x2 = 0, y2 = 0] = ring.at(index - 1) ?? [];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isIn = !isIn;
  }
  return isIn;
}

function edgesOf(ring: Point[]): string[] {
  return ring.map((point, index) => `${ring.at(index - 1)} ${point}`);
}
