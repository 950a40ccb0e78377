import { partNumber, serviceArea, serviceMap, zoneList } from "./map.ts";
import { MapHatching } from "./map-hatching.tsx";

/** Explains the tones and patterns of the map, with the days on which each part is served. */
export function MapLegend() {
  return (
    <ul className="map-legend">
      {serviceArea.areas.map(({ name, days, covers }) => (
        <li key={name}>
          <svg className="map-swatch" viewBox="0 0 40 40" aria-hidden="true">
            <rect className={`map-tone-${partNumber(name)}`} width="40" height="40" />
            <MapHatching part={partNumber(name)} width={40} height={40} />
          </svg>
          <p>
            <strong>{name}</strong> <span className="map-days">{days}</span>
            <span className="map-covers hint">{covers}</span>
          </p>
        </li>
      ))}
      <li>
        <span className="map-swatch map-zone-swatch">{serviceMap.zones[0]?.name}</span>
        <p>
          <strong>Postleitzahlen</strong>
          <span className="map-covers hint">Wir nehmen Anfragen aus {zoneList} an: 20000 bis 22999.</span>
        </p>
      </li>
    </ul>
  );
}
