import { Table, TableHead } from "../components/table.tsx";
import { Choose, Each, If, slot } from "../template/template.tsx";
import { Badge, Named } from "./template.tsx";
import { DELIVERIES, KINDS } from "./words.ts";
import { PostButton } from "../components/submit.tsx";

/** Lists the mails and webhooks of an inquiry. Each that has not arrived has a button to retry it now. */
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
                      'delivery.recipient == "visitor"': "Kunde",
                    }}
                    otherwise={slot("delivery.name")}
                  />
                </td>
                <td data-label="Stand">
                  <Badge state="delivery.state" names={DELIVERIES} />
                  <If test="delivery.can_be_retried">
                    <PostButton
                      action={`/anfragen/${slot("inquiry.id")}/zustellen`}
                      sends={{ number: slot("loop.index0") }}
                      look="button-quiet button-small"
                    >
                      Jetzt zustellen
                    </PostButton>
                  </If>
                </td>
                <td data-label="Wann">
                  <Choose
                    cases={{
                      "delivery.next_try": `nächster Versuch ${slot("delivery.next_try | time")}`,
                      "delivery.ended_at": slot("delivery.ended_at | time"),
                    }}
                  />
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
