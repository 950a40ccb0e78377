import { Table, TableHead } from "../components/table.tsx";
import { Choose, Each, If, slot } from "../template/template.tsx";
import { Named } from "./template.tsx";
import { DELIVERIES, KINDS } from "./words.ts";

/** Lists the mails and webhooks of an inquiry, each that has not arrived with a button that tries it now. */
export function Deliveries() {
  return (
    <section aria-labelledby="zustellungen">
      <h2 id="zustellungen">Nachrichten</h2>
      <If test="deliveries" otherwise={<p className="desk-empty">Es gab noch keine.</p>}>
        <Table className="table-stack" label="Tabelle der Nachrichten">
          <TableHead columns={["Was", "An", "Stand", "Wann", "Grund, für die Technik"]} />
          <tbody>
            <Each entry="delivery" list="deliveries">
              <tr>
                <th scope="row">
                  <Named value="delivery.kind" names={KINDS} />
                </th>
                <td data-label="An">
                  <Choose
                    cases={{
                      'delivery.recipient[:8] == "operator"': "Sie",
                      'delivery.recipient == "visitor"': "Person",
                    }}
                    otherwise={slot("delivery.name")}
                  />
                </td>
                <td data-label="Stand">
                  <span className="desk-badge" data-state={slot("delivery.state")}>
                    <Named value="delivery.state" names={DELIVERIES} />
                  </span>
                  <If test="delivery.can_be_retried">
                    <form
                      className="desk-retry"
                      data-above="2"
                      method="post"
                      action={`/anfragen/${slot("inquiry.id")}/zustellen`}
                    >
                      <input type="hidden" name="number" value={slot("loop.index0")} />
                      <button className="button-quiet button-small" type="submit">
                        Jetzt zustellen
                      </button>
                    </form>
                  </If>
                </td>
                <td data-label="Wann">
                  <If test="delivery.next_try" otherwise={<Ended />}>
                    nächster Versuch {slot("delivery.next_try | time")}
                  </If>
                </td>
                <td data-label="Grund, für die Technik" lang="en">
                  <If test="delivery.reason">{slot("delivery.reason")}</If>
                </td>
              </tr>
            </Each>
          </tbody>
        </Table>
      </If>
    </section>
  );
}

function Ended() {
  return <If test="delivery.ended_at">{slot("delivery.ended_at | time")}</If>;
}
