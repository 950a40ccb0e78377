/** Longitude and latitude in degrees. */
export type Point = number[];

/** A part of the globe, in degrees. */
export interface Frame {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** Turns places into units of a drawing. */
export interface Projection {
  width: number;
  height: number;
  unitsPerKm: number;
  /** Returns the position of a place, rounded to whole units, which are fine enough for this map. */
  project: (point: Point) => { x: number; y: number };
}

/** Kilometres from one degree of latitude to the next. */
const KM_PER_DEGREE = 111.2;

/** Hamburg's latitude. Degrees of longitude shrink by its cosine; within 100 km the error is below one percent. */
const MIDDLE = 53.55;
const SHRINK = Math.cos((MIDDLE * Math.PI) / 180);

/** Returns an equirectangular projection: north is up, and a kilometre has the same length in every direction. */
export function projectFrame(frame: Frame, width: number): Projection {
  const unitsPerDegree = width / ((frame.east - frame.west) * SHRINK);
  return {
    width,
    height: Math.round((frame.north - frame.south) * unitsPerDegree),
    unitsPerKm: unitsPerDegree / KM_PER_DEGREE,
    project: ([longitude = 0, latitude = 0]) => ({
      x: Math.round((longitude - frame.west) * SHRINK * unitsPerDegree),
      y: Math.round((frame.north - latitude) * unitsPerDegree),
    }),
  };
}

/** Returns the frame around a circle. */
export function frameAround([longitude = 0, latitude = 0]: Point, radiusKm: number): Frame {
  const north = radiusKm / KM_PER_DEGREE;
  const east = north / SHRINK;
  return { west: longitude - east, east: longitude + east, south: latitude - north, north: latitude + north };
}

/** Returns the `d` attribute of a path through places, in steps from one to the next, which are shorter than positions. */
export function linePath(points: Point[], { project }: Projection): string {
  const [start = { x: 0, y: 0 }, ...rest] = points.map((point) => project(point));
  let last = start;
  const steps = rest.map(({ x, y }) => {
    const step = `${x - last.x} ${y - last.y}`;
    last = { x, y };
    return step;
  });
  return `M${start.x} ${start.y}l${steps.filter((step) => step !== "0 0").join(" ")}`.replaceAll(" -", "-");
}

/** Returns the `d` attribute of an area with these corners. */
export function areaPath(points: Point[], projection: Projection): string {
  return `${linePath(points, projection)}Z`;
}
