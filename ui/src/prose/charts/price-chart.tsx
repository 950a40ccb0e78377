import { useId } from "react";
import { type Fact, findFact, originsOf, type Unit } from "../facts/facts.ts";
import { Axis, RangeBar, scaleTo } from "./range-bar.tsx";
import { Table, TableHead } from "../../components/table.tsx";

interface Props {
  /** Names in `content/facts.toml`, all with the same unit. */
  facts: string[];
  title: string;
  /** Omits the table, for places where the text names the figures anyway. */
  isCompact?: boolean;
}

/** The bar of an open range ends at its beginning times this. */
const OPEN = 1.3;

/** Draws ranges of prices, or of anything else with one unit, as bars on one axis. A table explains what they mean. */
export function PriceChart({ facts: names, title, isCompact = false }: Props) {
  const id = useId();
  const facts = names.map(findFact);
  const unit = facts[0]?.unit;
  const scale = scaleTo(Math.max(...facts.map(drawnEnd)));
  return (
    <figure className="chart" data-compact={isCompact || undefined}>
      <figcaption className="label" data-below="4" id={`${id}title`}>
        {title} {unit && <span className="chart-unit">{unitText(unit)}</span>}
      </figcaption>
      <div className="chart-plot" role="img" aria-labelledby={`${id}title`} aria-describedby={`${id}text`}>
        {facts.map((fact) => (
          <div key={fact.name} className="chart-row">
            <p>{fact.label}</p>
            <RangeBar low={fact.low ?? 0} high={fact.high} end={drawnEnd(fact)} scale={scale} />
          </div>
        ))}
        <Axis scale={scale} />
      </div>
      <p className="visually-hidden" id={`${id}text`}>
        {facts.map((fact) => `${fact.label}: ${fact.text}.`).join(" ")}
      </p>
      <p className="hint" data-above="3">
        {originsOf(facts)}
      </p>
      {!isCompact && (
        <details className="disclosure">
          <summary className="touch">Als Tabelle, mit Erläuterung</summary>
          <Table label={title}>
            <TableHead columns={["Leistung", "Spanne"]} />
            <tbody>
              {facts.map((fact) => (
                <tr key={fact.name}>
                  <th scope="row">
                    {fact.label}{" "}
                    <span className="fact-meaning">
                      {fact.meaning} ({fact.origin})
                    </span>
                  </th>
                  <td className="fact">{fact.text}</td>
                </tr>
              ))}
            </tbody>
          </Table>
        </details>
      )}
    </figure>
  );
}

function drawnEnd({ low, high }: Fact): number {
  return high ?? (low ?? 0) * OPEN;
}

function unitText({ word, per }: Unit): string {
  return per ? `${word} ${per}` : (word ?? "");
}
