import { InlineScript } from "../inline/inline-script.tsx";
import { OfferPromise } from "./offer-promise.tsx";
import { PrivatePageLink, Reference } from "./stored-inquiry.tsx";

/**
 * The thanks in the served page, which the server fills after an inquiry without JavaScript: `src/site/page_data.rs` has the
 * names.
 */
export function ServedMessage() {
  return (
    <>
      <h1>Vielen Dank für Ihre Anfrage!</h1>
      <p className="layout-lead">
        <OfferPromise />
      </p>
      {"{% if thanks.link %}"}
      <Reference number="{{ thanks.reference }}" />
      <PrivatePageLink path="{{ thanks.link }}" />
      <InlineScript name="sent" />
      {"{% endif %}"}
    </>
  );
}
