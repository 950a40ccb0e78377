import { serviceArea } from "./map.ts";
import { Table, TableHead } from "../../components/table.tsx";

/** Lists when each part of the city is served, and the most common work there. */
export function ServiceAreaTable() {
  return (
    <Table label="Einsatzgebiet">
      <TableHead columns={["Gebiet", "Einsatztage", "Schwerpunkt"]} />
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
