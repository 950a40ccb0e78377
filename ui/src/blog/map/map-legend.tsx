import { DrawingImage } from "../../drawings/drawing-image.tsx";
import { serviceArea, serviceMap } from "./map.ts";

/** Explains the tones and patterns of the map, with the days of service of each part. */
export function MapLegend() {
  return (
    <ul className="map-legend stack" data-gap="4">
      {serviceArea.areas.map(({ name, days, covers }, index) => (
        <li key={name}>
          <DrawingImage name={`maps/part-${index + 1}`} className="map-swatch" />
          <div>
            <p>
              <strong>{name}</strong> · {days}
            </p>
            <p className="hint">{covers}</p>
          </div>
        </li>
      ))}
      <li>
        <span className="map-swatch map-zone-swatch">{serviceMap.zones[0]?.lines}</span>
        <div>
          <p>
            <strong>Postleitzahlen</strong>
          </p>
          <p className="hint">Wir nehmen Anfragen von 20000 bis 22999 an.</p>
        </div>
      </li>
    </ul>
  );
}
