import { If } from "../components/if.tsx";
import { Each, Named, Notices, put } from "./template.tsx";
import { ToDo } from "./to-do.tsx";
import { FILTERS, STATES } from "./words.ts";

/** Renders the first page: what needs attention, and the inquiries, newest first. */
export function InboxPage() {
  return (
    <>
      <Notices
        texts={{
          erased: "Die Anfrage ist gelöscht. Betriebe, die sie angenommen hatten, werden benachrichtigt.",
          retried: "Was wartete, gescheitert war oder zurückgehalten wurde, wird jetzt zugestellt.",
        }}
      />
      <h1>Posteingang</h1>
      <If test="is_first">
        <ToDo />
      </If>
      <section aria-labelledby="anfragen">
        <h2 id="anfragen">Anfragen</h2>
        <Search />
        <States />
        <If test="rows" otherwise={<Nothing />}>
          <Rows />
        </If>
        <nav className="actions desk-paging" aria-label="Seiten">
          <If test="is_older">
            <a className="button-quiet" href="/posteingang">
              Zu den neuesten
            </a>
          </If>
          <If test="next">
            <a className="button-quiet" href={put("next")} rel="next">
              Ältere zeigen
            </a>
          </If>
        </nav>
      </section>
    </>
  );
}

function Search() {
  return (
    <form className="desk-search" method="get" action="/posteingang" role="search">
      <label className="field-label" htmlFor="suche">
        Anfrage suchen
      </label>
      <p className="field-hint" id="suche-hinweis">
        Name, E-Mail-Adresse, Telefonnummer oder Referenz, auch ein Teil davon.
      </p>
      <div className="desk-search-line">
        <input
          className="field-input"
          id="suche"
          name="search"
          type="search"
          autoComplete="off"
          aria-describedby="suche-hinweis"
          defaultValue={put("search")}
        />
        <If test="state">
          <input type="hidden" name="state" value={put("state")} />
        </If>
        <button className="button-plain" type="submit">
          Suchen
        </button>
      </div>
    </form>
  );
}

function States() {
  const current = (test: string) => `{{ "page" if ${test} else "false" }}` as "page";
  return (
    <nav aria-label="Stand">
      <ul className="desk-states">
        <li>
          <a href="/posteingang" aria-current={current("not state")}>
            alle
          </a>
        </li>
        {Object.entries(FILTERS).map(([state, name]) => (
          <li key={state}>
            <a href={`/posteingang?state=${state}`} aria-current={current(`state == "${state}"`)}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
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
        <li className="desk-row" data-state={put("row.state")}>
          <p className="desk-row-name">
            <a href={`/anfragen/${put("row.id")}`}>
              <If test="row.last_name" otherwise={`Anfrage ${put("row.id[-12:]")}`}>
                {put("row.first_name")} {put("row.last_name")}
              </If>
            </a>
          </p>
          <p className="desk-row-what">
            <If test="row.postal_code">
              {put("row.postal_code")} · {put("row.property_type | named")}
            </If>
            <If test="row.types_of_problems"> · {put("row.types_of_problems | named")}</If>
          </p>
          <p className="desk-row-when">{put("row.created_at | time")}</p>
          <p className="desk-row-state">
            <span className="desk-badge" data-state={put("row.state")}>
              <Named value="row.state" names={STATES} />
            </span>
            <If test="row.asked > 0">
              <span>
                {put("row.accepted")} von {put("row.asked")} angenommen
              </span>
            </If>
            <If test="row.failed > 0">
              <span className="desk-alarm">{put("row.failed")} nicht zugestellt</span>
            </If>
            <If test="row.held > 0">
              <span className="desk-alarm">{put("row.held")} zurückgehalten</span>
            </If>
          </p>
        </li>
      </Each>
    </ol>
  );
}
