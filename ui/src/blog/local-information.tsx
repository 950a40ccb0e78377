import { MapFigure } from "./map/map-figure.tsx";
import { serviceArea } from "./map/map.ts";
import { either } from "../template/template.tsx";
import { Table, TableHead } from "../components/table.tsx";

/** Lists the districts with articles about them, beside the map. Only the sample operator serves all of them. */
export function ActiveDistricts() {
  return (
    <section aria-labelledby="bezirke">
      <h2 id="bezirke">{either("site.sample", "Aktiv in allen sieben Bezirken", "Hamburgs Bezirke")}</h2>
      <div className="local-information-content columns">
        <MapFigure isPlain />
        <ul className="local-information-districts stack">
          {serviceArea.districts.map(({ name, text, article, article_title }) => (
            <li key={name}>
              <h3>{name}</h3>
              <p className="hint">{text}</p>
              {article && (
                <a className="semibold small touch" href={`/blog/${article}`}>
                  {article_title}
                </a>
              )}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** Explains how law, climate and architecture in Hamburg affect the choice of a method. */
export function HamburgInformation() {
  const { title, lead, rows } = serviceArea.background;
  return (
    <section className="prose local-information-background" aria-labelledby="hamburg">
      <h2 id="hamburg">{title}</h2>
      <p className="layout-lead">{lead}</p>
      <Table label="Rechtslage, Klima und Architektur">
        <TableHead columns={["Thema", "Was Sie wissen sollten"]} />
        <tbody>
          {rows.map(({ topic, text }) => (
            <tr key={topic}>
              <th scope="row">{topic}</th>
              <td>{text}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}
