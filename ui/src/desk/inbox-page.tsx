import { Notices } from "../components/notice.tsx";
import { Each, either, If, slot } from "../template/template.tsx";
import { Badge, type View, Views } from "./template.tsx";
import { ToDo } from "./to-do.tsx";
import { FILTERS, STATES } from "./words.ts";
import { Submit } from "../components/submit.tsx";

const VIEWS: readonly View[] = [
  ["alle", "/posteingang", "not state"],
  ...Object.entries(FILTERS).map(([id, name]): View => [name, `/posteingang?state=${id}`, `state == "${id}"`]),
];

/** Renders the start page: what needs attention, and the inquiries, newest first. */
export function InboxPage() {
  return (
    <>
      <Notices
        texts={{
          person_erased: "Alles über diese Person ist gelöscht. Betriebe mit ihren Kontaktdaten werden benachrichtigt.",
          erased: "Die Anfrage ist gelöscht. Betriebe, die sie angenommen hatten, werden benachrichtigt.",
          retried: "Was wartete, gescheitert war oder zurückgehalten wurde, wird jetzt zugestellt.",
        }}
      />
      <div className="desk-title cluster">
        <h1>Posteingang</h1>
        <a className="button-plain button-small" href="/neue-anfrage">
          Neue Anfrage
        </a>
      </div>
      <If test="is_first">
        <ToDo />
      </If>
      <section aria-labelledby="anfragen">
        <h2 id="anfragen">Anfragen</h2>
        <Search />
        <Views label="Stand" views={VIEWS} />
        <If test="rows" otherwise={<Nothing />}>
          <Rows />
        </If>
        <If test="is_older or next">
          <nav className="actions" data-above="5" aria-label="Seiten">
            <If test="is_older">
              <a className="button-quiet" href="/posteingang">
                Zu den neuesten
              </a>
            </If>
            <If test="next">
              <a className="button-quiet" href={slot("next")} rel="next">
                Ältere zeigen
              </a>
            </If>
          </nav>
        </If>
      </section>
    </>
  );
}

function Search() {
  return (
    <form className="measure" data-above="4" data-below="4" method="get" action="/posteingang" role="search">
      <label className="field-label" htmlFor="suche">
        Anfrage suchen
      </label>
      <p className="hint" id="suche-hinweis">
        Name, Telefonnummer, E-Mail-Adresse, Postleitzahl, Ort, Referenz oder Worte des Kunden, auch ein Teil davon.
      </p>
      <div className="desk-line cluster">
        <input
          className="field-input"
          id="suche"
          name="search"
          type="search"
          autoComplete="off"
          aria-describedby="suche-hinweis"
          defaultValue={slot("search")}
        />
        <If test="state">
          <input type="hidden" name="state" value={slot("state")} />
        </If>
        <Submit>Suchen</Submit>
        <a className="button-quiet" href={slot("workbook")}>
          Als Excel
        </a>
      </div>
    </form>
  );
}

function Nothing() {
  return (
    <p className="desk-empty">
      <If test="search or state" otherwise="Es ist noch keine Anfrage da.">
        <If test='state == "erased"'>Gelöschte stehen hier nur, bis alle Betriebe benachrichtigt sind. </If>
        Dazu gibt es keine Anfrage. <a href="/posteingang">Alle Anfragen zeigen</a>
      </If>
    </p>
  );
}

function Rows() {
  return (
    <ol className="desk-rows">
      <Each entry="row" list="rows">
        <li className="desk-row" data-state={either("row.done_at", "done", slot("row.state"))}>
          <p className="desk-row-name">
            <a className="touch" href={`/anfragen/${slot("row.id")}`}>
              <If test="row.last_name" otherwise={`Anfrage ${slot("row.id[-12:]")}`}>
                {slot("row.first_name")} {slot("row.last_name")}
              </If>
            </a>
          </p>
          <p>
            <If test="row.postal_code">
              {slot("row.postal_code")} · {slot("row.property_type | named")}
            </If>
            <If test="row.types_of_problems"> · {slot("row.types_of_problems | named")}</If>
            <If test="row.photos == 1"> · 1 Foto</If>
            <If test="row.photos > 1"> · {slot("row.photos")} Fotos</If>
            <If test="row.phone_number">
              {" "}
              · <a href={`tel:${slot("row.phone_number | tel")}`}>{slot("row.phone_number")}</a>
            </If>
          </p>
          <p className="desk-row-when hint">{slot("row.created_at | time")}</p>
          <p className="desk-row-state cluster">
            <Badge state="row.state" names={STATES} />
            <If test="row.done_at">
              <span>erledigt</span>
            </If>
            <If test="row.asked > 0">
              <span>
                {slot("row.accepted")} von {slot("row.asked")} angenommen
              </span>
            </If>
            <If test="row.failed > 0">
              <span className="desk-alarm strong">{slot("row.failed")} nicht zugestellt</span>
            </If>
            <If test="row.held > 0">
              <span className="desk-alarm strong">{slot("row.held")} zurückgehalten</span>
            </If>
          </p>
        </li>
      </Each>
    </ol>
  );
}
