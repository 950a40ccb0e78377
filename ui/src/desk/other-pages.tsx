import { Choose, Each, either, If, slot } from "../template/template.tsx";
import { Days, NEW_TAB, Named, PERIODS } from "./template.tsx";
import { CHECKS, LEVELS } from "./words.ts";
import { PostButton, Submit } from "../components/submit.tsx";

/** Renders the login button. Nothing happens before it is pressed. */
export function LoginPage() {
  return (
    <>
      <h1>Betreiberbereich öffnen</h1>
      <p className="layout-lead" data-above="3" data-below="5">
        Dieser Link gilt einmal und zehn Minuten lang. Danach bleiben Sie zwölf Stunden angemeldet, mit Häkchen dreißig
        Tage.
      </p>
      <form method="post" action={slot("action")}>
        <label className="desk-sure check" data-below="4">
          <input type="checkbox" name="stay" value="ja" /> Auf diesem Gerät angemeldet bleiben
        </label>
        <Submit look="button">Anmelden</Submit>
      </form>
      <p className="hint" data-above="5">
        An einem fremden Rechner: Setzen Sie das Häkchen nicht, und melden Sie sich oben rechts wieder ab.
      </p>
    </>
  );
}

/** Renders the link to the report. */
export function ReportPage() {
  return (
    <>
      <h1>Bericht</h1>
      <p className="layout-lead" data-above="3">
        Anfragen nach Tagen, Orten und Anliegen, und wie Betriebe antworten. Er nennt keine Person und öffnet sich in
        einem neuen Tab.
      </p>
      <ul className="cluster" data-above="5" data-below="5">
        {PERIODS.map(([name, query]) => (
          <li key={name}>
            <a className="button-plain" href={`/bericht/ansehen?${query}`} {...NEW_TAB}>
              {name}
            </a>
          </li>
        ))}
      </ul>
      <form className="desk-line cluster" data-gap="4" method="get" action="/bericht/ansehen" {...NEW_TAB}>
        <Days labels={{ since: "Vom", until: "Bis (ohne diesen Tag)" }} />
        <Submit look="button-quiet">Bericht zeigen</Submit>
      </form>
    </>
  );
}

/** Renders the doctor's findings, in its own words. */
export function HealthPage() {
  return (
    <>
      <h1>Zustand</h1>
      <p className="layout-lead" data-above="3">
        Der Prüfbericht von Server und Einstellungen, von jetzt. Ihr Techniker kann das beheben: Geben Sie ihm die
        englischen Zeilen weiter.
      </p>
      <ul className="stack" data-above="5">
        <Each entry="finding" list="findings">
          <li className="desk-finding bar" data-state={slot("finding.level")}>
            <p className="strong hint">
              <Named value="finding.level" names={LEVELS} />
            </p>
            <div>
              <p className="strong">
                <Named value="finding.check" names={CHECKS} />
              </p>
              <p className="hint" lang="en">
                {slot("finding.check")}: {slot("finding.message")}
              </p>
              <If test="finding.advice">
                <p className="hint" data-above="2" lang="en">
                  {slot("finding.advice")}
                </p>
              </If>
            </div>
          </li>
        </Each>
      </ul>
    </>
  );
}

/** How to get a login link. */
const NEW_LINK = either(
  "can_mail",
  "Wir schicken ihn per E-Mail dorthin, wohin auch neue Anfragen gemeldet werden.",
  "Ihr Techniker ruft auf dem Server taubenabwehr desk auf und gibt ihn Ihnen.",
);

/** Explains why there is no page, or why nothing was changed. */
export function MessagePage() {
  const kind = (code: string) => `kind == "${code}"`;
  // The store does not respond, or a page cannot be rendered.
  const unavailable = 'kind in ["store_unavailable", "broken"]';
  return (
    <>
      <h1>
        <Choose
          cases={{
            [kind("logged_out")]: "Sie sind nicht angemeldet",
            [kind("wrong_code")]: "Dieser Link gilt nicht mehr",
            [kind("rate_limited")]: "Zu viele Versuche",
            [kind("link_mailed")]: "Sehen Sie in Ihr Postfach",
            [kind("not_found")]: "Das gibt es hier nicht",
            [kind("unchanged")]: "Nichts wurde geändert",
            [unavailable]: "Im Moment nicht erreichbar",
          }}
          otherwise="Abgelehnt"
        />
      </h1>
      <p className="layout-lead" data-above="3">
        <Choose
          cases={{
            [kind("logged_out")]: `Hinein kommen Sie mit einem Anmeldelink. ${NEW_LINK}`,
            [kind("wrong_code")]: `Er ist benutzt, älter als zehn Minuten oder falsch. ${NEW_LINK}`,
            [kind("rate_limited")]: `Warten Sie eine Minute. ${NEW_LINK}`,
            [kind("link_mailed")]:
              "Der Anmeldelink kommt in den nächsten Minuten dort an, wohin auch neue Anfragen gemeldet werden. Er gilt einmal und zehn Minuten lang. In einer Stunde verschicken wir höchstens drei; kommt keiner, gibt Ihr Techniker Ihnen einen mit taubenabwehr desk.",
            [kind("not_found")]: "Die Adresse ist falsch, oder die Anfrage ist gelöscht.",
            [kind("unchanged")]: slot("reason"),
            [unavailable]:
              "Der Server kann die Daten gerade nicht lesen oder schreiben, etwa weil seine Platte voll ist. Den Grund findet Ihr Techniker im Protokoll. Bis das behoben ist, kann sich niemand anmelden.",
            [kind("wrong_host")]:
              "Unter diesem Namen antwortet der Betreiberbereich nicht. Ihr Techniker trägt ihn mit --desk-url ein.",
          }}
          otherwise="Das kam nicht von einer Seite des Betreiberbereichs. Öffnen Sie die Seite neu, und versuchen Sie es noch einmal."
        />
      </p>
      <If test='can_mail and kind in ["logged_out", "wrong_code"]'>
        <div data-above="5">
          <PostButton action="/anmeldelink" look="button">
            Anmeldelink zusenden
          </PostButton>
        </div>
      </If>
      <If test='kind not in ["logged_out", "wrong_code", "rate_limited", "wrong_host", "link_mailed"]'>
        <p data-above="5">
          <a className="button-plain" href={slot("back")}>
            Zurück
          </a>
        </p>
      </If>
    </>
  );
}
