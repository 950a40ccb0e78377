import { renderToStaticMarkup } from "react-dom/server";
import postalCodes from "../../../generated/postal-codes.json" with { type: "json" };
import { Labels, PlainGround, projection } from "./city-map.tsx";
import { serviceMap } from "./map.ts";

/** Returns the map of the operator's report: the server draws inquiries on it (`src/operate/report/map.rs`). */
export function reportMap() {
  const centers = Object.entries(postalCodes.centers);
  return {
    width: projection.width,
    height: projection.height,
    ground: renderToStaticMarkup(
      <>
        <PlainGround />
        <Labels />
      </>,
    ),
    places: Object.fromEntries(centers.map(([code, center]) => [code, projection.project(center)])),
    sources: [serviceMap.source, postalCodes.source],
  };
}
