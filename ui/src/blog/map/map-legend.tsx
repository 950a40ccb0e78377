import { UseSprite } from "../../drawings/sprite.tsx";
import { serviceArea, serviceMap, zoneList } from "./map.ts";

/** Explains the tones and patterns of the map, with the days on which each part is served. */
export function MapLegend() {
  return (
    <ul className="map-legend stack" data-gap="4">
      {serviceArea.areas.map(({ name, days, covers }, index) => (
        <li key={name}>
          <svg className="map-swatch" viewBox="0 0 40 40" aria-hidden="true">
            <UseSprite name={`maps/part-${index + 1}`} />
          </svg>
          <p>
            <strong>{name}</strong> <span className="map-days">{days}</span>
            <span className="map-covers hint">{covers}</span>
          </p>
        </li>
      ))}
      <li>
        <span className="map-swatch map-zone-swatch">{serviceMap.zones[0]?.lines}</span>
        <p>
          <strong>Postleitzahlen</strong>
          <span className="map-covers hint">Wir nehmen Anfragen aus {zoneList} an: 20000 bis 22999.</span>
        </p>
      </li>
    </ul>
  );
}
