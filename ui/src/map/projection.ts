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
  /** Where a place lies; whole units, as a map this coarse needs no more. */
  project: (point: Point) => { x: number; y: number };
}

/** Kilometres from one degree of latitude to the next. */
const KM_PER_DEGREE = 111.2;

/** Hamburg's latitude. Degrees of longitude are shorter by its cosine; over 100 km the error is below one percent. */
const MIDDLE = 53.55;
const SHRINK = Math.cos((MIDDLE * Math.PI) / 180);

/** Equirectangular: north is up, and a kilometre is as long in every direction. */
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

/** The frame that shows a circle and a margin around it. */
export function frameAround([longitude = 0, latitude = 0]: Point, radiusKm: number): Frame {
  const north = radiusKm / KM_PER_DEGREE;
  const east = north / SHRINK;
  return { west: longitude - east, east: longitude + east, south: latitude - north, north: latitude + north };
}

/** The `d` of a path through places. */
export function linePath(points: Point[], { project }: Projection): string {
  const steps = points.map((point) => {
    const { x, y } = project(point);
    return `${x} ${y}`;
  });
  return `M${steps.join("L")}`;
}

/** The same, closed to an area. */
export function areaPath(points: Point[], projection: Projection): string {
  return `${linePath(points, projection)}Z`;
}
