import { CityMap } from "./city-map.tsx";
import { serviceMap } from "./map.ts";

/** The map of the city and whose borders they are. */
export function MapFigure({ isPlain }: { isPlain?: boolean }) {
  return (
    <figure className="map-figure">
      <CityMap isPlain={isPlain} />
      <figcaption>{serviceMap.source}</figcaption>
    </figure>
  );
}
