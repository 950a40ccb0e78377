import { Notices } from "../components/notice.tsx";
import { Table, TableHead } from "../components/table.tsx";
import { Each, either, If, slot } from "../template/template.tsx";
import { NEW_TAB, Named } from "./template.tsx";
import { OUTCOMES } from "./words.ts";
import { Question } from "./question.tsx";
import { Submit } from "../components/submit.tsx";

/** Renders what firms owe for a month. */
export function StatementPage() {
  return (
    <>
      <Notices
        texts={{
          closed: "Der Monat ist abgeschlossen. Seine Zahlen bleiben, wie sie sind.",
          changed:
            "Der Monat ist nicht abgeschlossen: Seine Zahlen haben sich geändert, nachdem Sie sie gelesen haben. So lauten sie jetzt.",
        }}
      />
      <div className="desk-title cluster">
        <h1>Abrechnung {slot("month_name")}</h1>
        <If test="closed_at">
          <span className="desk-badge" data-state="accepted">
            abgeschlossen am {slot("closed_at | time")}
          </span>
        </If>
      </div>
      <form className="measure" data-above="4" data-below="4" method="get" action="/abrechnung">
        <label className="field-label" htmlFor="monat">
          Monat
        </label>
        <div className="desk-line cluster">
          <input
            className="field-input"
            id="monat"
            name="month"
            type="month"
            pattern="\d{4}-\d{2}"
            placeholder="2026-11"
            defaultValue={slot("month")}
          />
          <Submit look="button-quiet">Zeigen</Submit>
        </div>
      </form>
      <If test="firms" otherwise={<p className="desk-empty">In diesem Monat hat kein Betrieb etwas angenommen.</p>}>
        <Each entry="firm" list="firms">
          <FirmStatement />
        </Each>
        <section className="desk-sheet" aria-labelledby="alle">
          <h2 id="alle">Alle Betriebe</h2>
          <Sum net="total[0]" vat="total[1]" gross="total[2]" />
        </section>
      </If>
      <Downloads />
    </>
  );
}

function FirmStatement() {
  return (
    <section className="desk-sheet" aria-labelledby={`firm-${slot("firm.firm")}`}>
      <h2 id={`firm-${slot("firm.firm")}`}>{slot("firm.name")}</h2>
      <Table className="table-stack" label={`Tabelle: ${slot("firm.name")}`}>
        <TableHead columns={["Referenz", "Eingegangen", "Angenommen", "Ergebnis", "Auftrag netto", "Provision"]} />
        <tbody>
          <Each entry="line" list="firm.acceptances">
            <tr>
              <th scope="row">
                <a href={`/posteingang?search=${slot("line.reference")}`}>{slot("line.reference")}</a>
              </th>
              <td data-label="Eingegangen">{slot("line.received | time")}</td>
              <td data-label="Angenommen">{slot("line.accepted | time")}</td>
              <td data-label="Ergebnis">
                <Named value="line.outcome" names={OUTCOMES} />
                <If test="line.late">, Nachtrag</If>
                <If test="line.credit">, Gutschrift: {slot("line.credit.reason")}</If>
              </td>
              <td data-label="Auftrag netto">
                <If test="line.net_sum">{slot("line.net_sum | euro")} €</If>
              </td>
              <td data-label="Provision">{slot("line.commission | euro")} €</td>
            </tr>
          </Each>
        </tbody>
      </Table>
      <Sum net="firm.net" vat="firm.vat" gross="firm.gross" />
      <p className="desk-screen">
        Nur dieser Betrieb:{" "}
        <a href={`/abrechnung/${slot("month")}.html?ansehen=1&firm=${slot("firm.firm")}`} {...NEW_TAB}>
          zum Drucken (neuer Tab)
        </a>
        , <a href={`/abrechnung/${slot("month")}.html?firm=${slot("firm.firm")}`}>als Datei (HTML)</a>
      </p>
    </section>
  );
}

function Sum({ net, vat, gross }: { net: string; vat: string; gross: string }) {
  return (
    <p className="desk-sum">
      <If test='vat_rate != "0"' otherwise={<strong>Zusammen {slot(`${gross} | euro`)} €</strong>}>
        Netto {slot(`${net} | euro`)} €, Umsatzsteuer {slot("vat_rate")} % {slot(`${vat} | euro`)} €,{" "}
        <strong>zusammen {slot(`${gross} | euro`)} €</strong>
      </If>
    </p>
  );
}

function Downloads() {
  return (
    <section className="desk-screen" aria-labelledby="herunterladen">
      <h2 id="herunterladen">Herunterladen{either("is_over and not closed_at", " und abschließen", "")}</h2>
      <p className="cluster">
        <a className="button-plain" href={`/abrechnung/${slot("month")}.html?ansehen=1`} {...NEW_TAB}>
          Zum Drucken ansehen (neuer Tab)
        </a>
        {Object.entries({ xlsx: "Als Excel", html: "HTML herunterladen", csv: "CSV herunterladen" }).map(
          ([kind, name]) => (
            <a key={kind} className="button-quiet" href={`/abrechnung/${slot("month")}.${kind}`}>
              {name}
            </a>
          ),
        )}
        <If test="is_over and not closed_at">
          <a className="button-quiet" href={`/abrechnung/${slot("month")}/abschliessen?read=${slot("digest")}`}>
            Monat abschließen …
          </a>
        </If>
      </p>
    </section>
  );
}

/** Renders the confirmation before a month is closed. */
export function ClosePage() {
  return (
    <Question
      title={<>{slot("month_name")} abschließen?</>}
      back={`/abrechnung?month=${slot("month")}`}
      backLabel="Zurück zur Abrechnung"
      action={`/abrechnung/${slot("month")}/abschliessen`}
      hidden={<input type="hidden" name="read" value={slot("read")} />}
      sure={<>Ja, {slot("month_name")} abschließen.</>}
      submit="Monat abschließen"
    >
      <li>Noch offene Ergebnisse: {slot("open")}</li>
      <li>Die Zahlen aller Betriebe und der Umsatzsteuersatz bleiben dann, wie sie sind.</li>
      <li>Was Betriebe danach melden, steht als Nachtrag in der Abrechnung des Monats, in dem sie es melden.</li>
      <li>Das lässt sich nicht rückgängig machen.</li>
    </Question>
  );
}
