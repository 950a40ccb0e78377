import { ErrorSummary } from "../components/notice.tsx";
import { IfSetting, useText } from "../template/settings.tsx";
import { Each, If, slot } from "../template/template.tsx";

/** The text above the whole form, which is hidden while one question is shown at a time. */
export function ServedIntro() {
  return (
    <div className="layout-wrap questionnaire-page served-intro">
      <h1 className="questionnaire-heading">Kostenlos Angebote anfragen</h1>
      <p className="layout-lead" data-above="3">
        Fünf kurze Fragen, und Sie haben {slot("site.offered")} angefragt.
      </p>
      <FormErrors />
      <ContactWays />
    </div>
  );
}

/** Explains at the top why the form was rejected. Each invalid answer links to its field. */
export function FormErrors() {
  return (
    <>
      <If test="form.notice">
        <ErrorSummary title="Ihre Anfrage wurde nicht gesendet">
          <p>{slot("form.notice")}</p>
        </ErrorSummary>
      </If>
      <If test="form.summary">
        <ErrorSummary title="Bitte prüfen Sie Ihre Angaben">
          <If test="form.lead">
            <p>{slot("form.lead")}</p>
          </If>
          <ul className="error-summary-list">
            <Each entry="item" list="form.summary">
              <li>
                <If test="item.title">{slot("item.title")}: </If>
                <a className="strong" href={`#${slot("item.field")}`}>
                  {slot("item.text")}
                </a>
                <If test="item.explanation">
                  <br />
                  {slot("item.explanation")}
                </If>
              </li>
            </Each>
          </ul>
        </ErrorSummary>
      </If>
    </>
  );
}

/** Other ways to ask, because not everybody likes forms. */
function ContactWays() {
  const phone = useText("operator.phone");
  const phoneLink = useText("operator.phone_link");
  const email = useText("operator.email");
  return (
    <IfSetting name="operator.phone">
      <p className="hint" data-above="4">
        Lieber persönlich? Sie erreichen uns auch direkt telefonisch unter <a href={phoneLink}>{phone}</a>
        <IfSetting name="operator.email">
          {" "}
          oder per E-Mail an <a href={`mailto:${email}`}>{email}</a>
        </IfSetting>
        .
      </p>
    </IfSetting>
  );
}
