import { CityMap } from "./city-map.tsx";
import { serviceMap } from "./map.ts";

/** Renders the map of the city with the source of its borders. */
export function MapFigure({ isPlain }: { isPlain?: boolean }) {
  const { owner, licence, licence_url, change } = serviceMap.source;
  return (
    <figure className="map-figure">
      <CityMap isPlain={isPlain} />
      <figcaption>
        {owner} (
        <a href={licence_url} rel="license">
          {licence}
        </a>
        ), {change}
      </figcaption>
    </figure>
  );
}
