import { Table } from "../prose/table.tsx";
import areas from "../../generated/service-area.json" with { type: "json" };

/** Which part of the city is served when, and what is done most there (spec section 2, article). */
export function ServiceArea() {
  return (
    <section className="prose" aria-labelledby="einsatzgebiet">
      <h2 id="einsatzgebiet">Einsatzgebiet in Hamburg</h2>
      <Table label="Einsatzgebiet">
        <thead>
          <tr>
            <th scope="col">Gebiet</th>
            <th scope="col">Einsatztage</th>
            <th scope="col">Schwerpunkt</th>
          </tr>
        </thead>
        <tbody>
          {areas.map(({ name, days, specialisation }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{days}</td>
              <td>{specialisation}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}
