import type { Fact } from "../facts/facts.ts";
import { Table } from "../../components/table.tsx";

/** Lists facts with their meanings. */
export function FactTable({ facts, label }: { facts: Fact[]; label: string }) {
  return (
    <Table label={label}>
      <thead>
        <tr>
          <th scope="col">Leistung</th>
          <th scope="col">Spanne</th>
        </tr>
      </thead>
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
  );
}
