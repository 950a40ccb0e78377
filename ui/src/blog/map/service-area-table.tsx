import { serviceArea } from "./map.ts";
import { Table } from "../../components/table.tsx";

/** Lists when each part of the city is served, and what is done most there. */
export function ServiceAreaTable() {
  return (
    <Table label="Einsatzgebiet">
      <thead>
        <tr>
          <th scope="col">Gebiet</th>
          <th scope="col">Einsatztage</th>
          <th scope="col">Schwerpunkt</th>
        </tr>
      </thead>
      <tbody>
        {serviceArea.areas.map(({ name, days, specialisation }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{days}</td>
            <td>{specialisation}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
