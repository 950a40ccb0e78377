import { serviceArea } from "../../blog/map/map.ts";
import { MapFigure, RegionFigure } from "../../blog/map/map-figure.tsx";
import { MapLegend } from "../../blog/map/map-legend.tsx";
import { ServiceAreaTable } from "../../blog/map/service-area-table.tsx";
import { If, slot } from "../../template/template.tsx";
import { SectionHeading } from "../../components/section.tsx";

const OWN_AREA = (
  <>
    <SectionHeading id="service-area-title" title="Einsatzgebiet" lead="In diesen Gebieten fragen wir für Sie an." />
    <p className="strong">Postleitzahlen {slot("site.area")}</p>
  </>
);

/** Shows where firms work: for the sample operator on two maps, the city with its parts and the surrounding circle. */
export function ServiceMap() {
  return (
    <If test="site.sample or site.area">
      <section className="home-section service-map" aria-labelledby="service-area-title">
        <div className="layout-wrap">
          <If test="site.sample" otherwise={OWN_AREA}>
            <SectionHeading id="service-area-title" title={serviceArea.title} lead={serviceArea.lead} />
            <div className="service-map-content columns">
              <MapFigure />
              <div className="service-map-side stack" data-gap="6">
                <MapLegend />
                <RegionFigure />
              </div>
            </div>
            <details className="disclosure">
              <summary className="touch">Einsatzgebiet als Tabelle</summary>
              <div className="prose">
                <ServiceAreaTable />
              </div>
            </details>
          </If>
        </div>
      </section>
    </If>
  );
}
