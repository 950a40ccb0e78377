import { IfSetting, useText } from "../settings/context.tsx";
import type { TextName } from "../settings/types.ts";
import { Table } from "./table.tsx";

/** A text from the operator's settings. */
function OperatorText({ name }: { name: TextName }) {
  return useText(name);
}

/** Name, address and ways to reach the operator. */
function OperatorAddress() {
  const email = useText("operator.email");
  return (
    <address>
      <IfSetting name="operator.legal_name">
        <Line name="operator.legal_name" />
      </IfSetting>
      <IfSetting name="operator.street">
        <Line name="operator.street" />
      </IfSetting>
      <IfSetting name="operator.city">
        <IfSetting name="operator.postal_code">
          <OperatorText name="operator.postal_code" />{" "}
        </IfSetting>
        <Line name="operator.city" />
      </IfSetting>
      <IfSetting name="operator.phone">
        Telefon: <PhoneLink />
        <br />
      </IfSetting>
      <IfSetting name="operator.email">
        E-Mail: <a href={`mailto:${email}`}>{email}</a>
      </IfSetting>
    </address>
  );
}

function Line({ name }: { name: TextName }) {
  return (
    <>
      <OperatorText name={name} />
      <br />
    </>
  );
}

function PhoneLink() {
  return <a href={useText("operator.phone_link")}>{useText("operator.phone")}</a>;
}

/** The components that prose bodies may use. */
export const proseComponents = { IfSetting, OperatorText, OperatorAddress, table: Table };
