import { Notices } from "../components/notice.tsx";
import { Facts } from "../private/facts.tsx";
import { Choose, Each, either, If, slot } from "../template/template.tsx";
import { Question } from "./question.tsx";
import { PostButton, Submit } from "../components/submit.tsx";
import { Days, PERIODS, Views } from "./template.tsx";

const PHONE = <a href={`tel:${slot("row.phone | tel")}`}>{slot("row.phone")}</a>;
const EMAIL = <a href={slot("row.email | mailto")}>{slot("row.email")}</a>;
const QUOTA = `höchstens ${slot("row.per_week")} Anfragen in sieben Tagen`;

const FIRM = [
  ["Telefon", PHONE, "row.phone"],
  ["E-Mail", EMAIL, "row.email"],
  ["Gebiet", `Postleitzahlen ${slot("row.area")}`, "row.area"],
  ["Preis", either("row.price", slot("row.price"), "keiner"), "row.is_known"],
  ["Kontingent", either("row.per_week is not none", QUOTA, "unbegrenzt"), "row.is_known"],
] as const;

const UNTIL = either("row.paused_until", `bis ${slot("row.paused_until | last_day")} `, "");

/** Renders the firms: what each did, how long its verification is valid, and whether it gets requests. */
export function FirmsPage() {
  return (
    <>
      <Notices
        texts={{
          paused: (
            <>
              {slot("name")}{" "}
              <If test="from" otherwise="ist pausiert">
                wird ab {slot("from | day")} pausiert
              </If>
              . <If test="passed_on == 1">Eine offene Anfrage geht</If>
              <If test="passed_on > 1">{slot("passed_on")} offene Anfragen gehen</If>
              <If test="passed_on"> jetzt an andere Betriebe.</If>
            </>
          ),
          resumed: `${slot("name")} wird wieder gefragt.`,
        }}
      />
      <h1>Betriebe</h1>
      <Views label="Zeitraum" views={PERIODS.map(([name, query, test]) => [name, `/betriebe?${query}`, test])} />
      <If test="rows" otherwise={<p className="desk-empty">In der Konfiguration steht noch kein Betrieb.</p>}>
        <ul className="desk-cards stack" data-gap="4" data-above="5">
          <Each entry="row" list="rows">
            <li
              className="desk-card card stack"
              data-state={either("row.unreachable_since", "failed", either("row.paused", "paused", "ok"))}
            >
              <h2 className="label">{slot("row.name")}</h2>
              <p className="strong">
                <Choose
                  cases={{
                    "row.unreachable_since": `nicht zu erreichen seit ${slot("row.unreachable_since | time")}`,
                    "row.paused and row.paused_until": `pausiert bis ${slot("row.paused_until | last_day")}`,
                    "row.paused": "pausiert",
                    "row.paused_from": `aktiv, ab ${slot("row.paused_from | first_day")} ${UNTIL}pausiert`,
                  }}
                  otherwise="aktiv"
                />
              </p>
              <If test="row.unreachable_since">
                <p className="hint">
                  Sein Mailserver lehnt die Adresse ab. Berichtigen Sie sie in der Konfigurationsdatei, oder lassen Sie
                  ihn wieder fragen, sobald das Postfach annimmt.
                </p>
              </If>
              <Counts />
              <Facts lines={FIRM} />
              <p className="hint">
                <If test="row.checked_until" otherwise="Keine Prüfung vermerkt.">
                  Prüfung gilt bis {slot("row.checked_until | day")}.
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
    ["gefragt", slot("row.asked")],
    ["angenommen", slot("row.accepted")],
    ["abgelehnt", slot("row.declined")],
    ["keine Antwort", slot("row.silent")],
    ["Stunden bis zur Antwort", either("row.median_hours is not none", slot("row.median_hours | hours"), "–")],
  ] as const;
  return (
    <dl className="desk-figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt className="hint">{name}</dt>
          <dd className="strong">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function PauseForm() {
  const path = `/betriebe/${slot("row.firm")}`;
  return (
    <Choose
      cases={{
        "(row.paused or row.unreachable_since) and row.is_fixed": (
          <p className="hint">So steht es in der Konfigurationsdatei; dort endet die Pause.</p>
        ),
        "row.paused or row.paused_from or row.unreachable_since": (
          <PostButton action={`${path}/fortsetzen`} look="button-quiet">
            {either("row.paused or row.unreachable_since", "Wieder fragen", "Doch nicht pausieren")}
          </PostButton>
        ),
        "row.is_known": (
          <form method="get" action={`${path}/pause`}>
            <div className="desk-line cluster">
              <Days labels={{ from: "Pause ab", until: "Pause bis einschließlich" }} min={slot("today")} />
              <Submit look="button-quiet">Pausieren …</Submit>
            </div>
            <p className="hint" data-above="2">
              Ohne Tage gilt sie ab sofort, bis Sie sie beenden. Vorher sehen Sie, was sie bewirkt.
            </p>
          </form>
        ),
      }}
    />
  );
}

/** When open requests are passed on: the firm may still answer them until the pause begins. */
const WHEN = either("is_later", "an diesem Tag, wenn er bis dahin nicht antwortet,", "sofort");

/** Renders the confirmation before a firm is paused. */
export function PausePage() {
  return (
    <Question
      title={<>{slot("name")} pausieren?</>}
      back="/betriebe"
      backLabel="Zurück zu den Betrieben"
      action={`/betriebe/${slot("id")}/pause`}
      hidden={["from", "until"].map((name) => (
        <input key={name} type="hidden" name={name} value={slot(`${name}_day`)} />
      ))}
      submit="Pausieren"
    >
      <li>
        Der Betrieb wird <If test="is_later">ab {slot("from_day | day")}</If> nicht mehr gefragt
        {either("until", `, bis ${slot("until | last_day")}.`, ", bis Sie die Pause beenden.")}
      </li>
      <li>
        <Choose
          cases={{
            "open == 0": "Keine offene Anfrage wartet auf seine Antwort.",
            "open == 1": `1 offene Anfrage wartet auf seine Antwort. Sie geht ${WHEN} an andere Betriebe.`,
          }}
          otherwise={`${slot("open")} offene Anfragen warten auf seine Antwort. Sie gehen ${WHEN} an andere Betriebe.`}
        />
      </li>
      <li>Was er angenommen hat, bleibt bei ihm. Besucher lesen bei ihm „pausiert“.</li>
    </Question>
  );
}
