import { If } from "../components/if.tsx";
import { Each, Notices, put } from "./template.tsx";

/** Renders the firms: what each did, until when its check counts, and whether it is asked. */
export function FirmsPage() {
  return (
    <>
      <Notices
        texts={{
          paused: (
            <>
              {put("name")} ist pausiert.{" "}
              <If test="passed_on">Offene Fragen, die jetzt weitergehen: {put("passed_on")}.</If>
            </>
          ),
          resumed: `${put("name")} wird wieder gefragt.`,
        }}
      />
      <h1>Betriebe</h1>
      <If test="rows" otherwise={<p className="desk-empty">In der Konfiguration steht noch kein Betrieb.</p>}>
        <ul className="desk-cards">
          <Each entry="row" list="rows">
            <li
              className="desk-card"
              data-paused={put("row.paused")}
              data-unreachable={put("row.unreachable_since is not none")}
            >
              <h2>{put("row.name")}</h2>
              <p className="desk-card-state">
                <If
                  test="row.unreachable_since"
                  otherwise={
                    <If test="row.paused" otherwise="wird gefragt">
                      pausiert<If test="row.paused_until"> bis {put("row.paused_until | last_day")}</If>
                    </If>
                  }
                >
                  nicht zu erreichen seit {put("row.unreachable_since | time")}
                </If>
              </p>
              <If test="row.unreachable_since">
                <p className="desk-card-check">
                  Sein Mailserver lehnt die Adresse ab. Berichtigen Sie sie in der Konfigurationsdatei, oder lassen Sie
                  ihn wieder fragen, sobald das Postfach annimmt.
                </p>
              </If>
              <Counts />
              <p className="desk-card-check">
                <If test="row.checked_until" otherwise="Keine Prüfung vermerkt.">
                  Prüfung gilt bis {put("row.checked_until | day")}.
                </If>
              </p>
              <PauseForm />
            </li>
          </Each>
        </ul>
      </If>
    </>
  );
}

function Counts() {
  const figures = [
    ["gefragt", "row.asked"],
    ["angenommen", "row.accepted"],
    ["abgelehnt", "row.declined"],
    ["keine Antwort", "row.silent"],
  ] as const;
  return (
    <dl className="desk-figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{put(value)}</dd>
        </div>
      ))}
      <div>
        <dt>Stunden bis zur Antwort</dt>
        <dd>
          <If test="row.median_hours is not none" otherwise="–">
            {put("row.median_hours | hours")}
          </If>
        </dd>
      </div>
    </dl>
  );
}

function PauseForm() {
  const path = `/betriebe/${put("row.firm")}`;
  return (
    <If
      test="row.paused or row.unreachable_since"
      otherwise={
        <If test="row.is_known">
          <form className="desk-card-form" method="post" action={`${path}/pause`}>
            <label className="field-label" htmlFor={`bis-${put("row.firm")}`}>
              Pause bis einschließlich
            </label>
            <div className="desk-search-line">
              <input className="field-input" id={`bis-${put("row.firm")}`} name="until" type="date" />
              <button className="button-quiet" type="submit">
                Pausieren
              </button>
            </div>
            <p className="field-hint">
              Ohne Tag gilt die Pause, bis Sie sie beenden. Was der Betrieb noch nicht beantwortet hat, geht sofort an
              andere.
            </p>
          </form>
        </If>
      }
    >
      <If
        test="row.is_fixed"
        otherwise={
          <form className="desk-card-form" method="post" action={`${path}/fortsetzen`}>
            <button className="button-quiet" type="submit">
              Wieder fragen
            </button>
          </form>
        }
      >
        <p className="field-hint">So steht es in der Konfigurationsdatei; dort endet die Pause.</p>
      </If>
    </If>
  );
}
