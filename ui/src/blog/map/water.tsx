import { serviceMap } from "./map.ts";
import { areaPath, linePath, type Projection } from "./projection.ts";

/** The least width of a river in units of the drawing: a thinner one would vanish on a small screen. */
const THINNEST = 2.5;

/** Draws the Elbe with its arms, and the Alster. */
export function Water({ projection }: { projection: Projection }) {
  return serviceMap.water.map(({ name, width_km, points }) =>
    width_km === null ? (
      <path key={name} className="map-lake" d={areaPath(points, projection)} />
    ) : (
      <path
        key={name}
        className="map-river"
        strokeWidth={Math.max(THINNEST, Math.round(width_km * projection.unitsPerKm * 10) / 10)}
        d={linePath(points, projection)}
      />
    ),
  );
}
