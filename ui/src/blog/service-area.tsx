import { MapFigure } from "./map/map-figure.tsx";
import { MapLegend } from "./map/map-legend.tsx";
import { ServiceAreaTable } from "./map/service-area-table.tsx";

/** Shows where and on which days firms of the network work: on a map, with details in a table. */
export function ServiceArea() {
  return (
    <section className="prose" aria-labelledby="einsatzgebiet">
      <h2 id="einsatzgebiet">Einsatzgebiet in Hamburg</h2>
      <div className="map-overview">
        <MapFigure />
        <MapLegend />
      </div>
      <ServiceAreaTable />
    </section>
  );
}
