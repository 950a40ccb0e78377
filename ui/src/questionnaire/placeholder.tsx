import { IfSetting, useText } from "../settings/context.tsx";
import { Frame } from "./frame.tsx";

/** What the served page shows until the questionnaire takes its place; without JavaScript, how else to ask. */
export function Placeholder() {
  return (
    <Frame>
      <h1 className="questionnaire-heading">Kostenlos Angebote anfordern</h1>
      <p className="questionnaire-loading" data-needs-script="">
        Fragebogen wird geladen...
      </p>
      <noscript>
        <p className="questionnaire-noscript">
          Der Fragebogen braucht JavaScript. Ohne JavaScript erreichen Sie uns direkt
          <ContactWays />.
        </p>
      </noscript>
    </Frame>
  );
}

function ContactWays() {
  const phone = useText("operator.phone");
  const phoneLink = useText("operator.phone_link");
  const email = useText("operator.email");
  return (
    <>
      <IfSetting name="operator.phone">
        {" "}
        telefonisch unter <a href={phoneLink}>{phone}</a>
        <IfSetting name="operator.email"> oder</IfSetting>
      </IfSetting>
      <IfSetting name="operator.email">
        {" "}
        per E-Mail an <a href={`mailto:${email}`}>{email}</a>
      </IfSetting>
    </>
  );
}
