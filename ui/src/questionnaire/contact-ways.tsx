import { IfSetting, useText } from "../settings/context.tsx";

/** How else to ask: not everybody likes forms. */
export function ContactWays() {
  const phone = useText("operator.phone");
  const phoneLink = useText("operator.phone_link");
  const email = useText("operator.email");
  return (
    <IfSetting name="operator.phone">
      <p className="field-hint served-intro-contact">
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
