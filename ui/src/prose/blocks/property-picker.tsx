import { Drawing } from "../../drawings/drawing.tsx";
import { findDrawing } from "../../drawings/drawings.ts";

/** The kinds of buildings that an article asks for; `other` leaves the choice to the questionnaire. */
const KINDS = [
  { type: "residential", label: "Wohngebäude", drawing: "buildings/residential-house" },
  { type: "commercial", label: "Gewerbe", drawing: "buildings/commercial-office" },
  { type: "industrial", label: "Industrie", drawing: "buildings/industrial" },
  { type: "other", label: "Andere Gebäude", drawing: "picker/other" },
];

/** Tiles that open the questionnaire with the kind of building preselected. */
export function PropertyPicker({ title = "Um welches Gebäude geht es?" }: { title?: string }) {
  return (
    <nav className="property-picker screen-only" aria-label={title}>
      <p className="label">{title}</p>
      <ul className="property-picker-tiles">
        {KINDS.map(({ type, label, drawing }) => (
          <li key={type}>
            <a className="property-picker-tile tile" href={`/fragebogen?propertyType=${type}`}>
              <Drawing source={findDrawing(drawing)} />
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
