import { useSyncExternalStore } from "react";
import { onSettled, settlementOf } from "../inquiry/post-office.ts";
import { Received } from "./message.tsx";

/** Tells of an inquiry in the outbox, and of its delivery when that happens while the visitor is here. */
export function PendingMessage({ letterKey }: { readonly letterKey: string }) {
  const settlement = useSyncExternalStore(
    onSettled,
    () => settlementOf(letterKey),
    () => undefined,
  );
  if (settlement?.kind === "stored") {
    return <Received reference={settlement.reference} />;
  }
  return (
    <>
      <h1>Vielen Dank für Ihre Anfrage!</h1>
      <p className="layout-lead">Ihre Anfrage konnte noch nicht übermittelt werden. Sie geht nicht verloren:</p>
      <ul className="thanks-facts">
        <li>Sie ist auf diesem Gerät gespeichert, höchstens 7 Tage lang.</li>
        <li>Sie wird automatisch erneut gesendet, solange diese Website geöffnet ist und bei Ihrem nächsten Besuch.</li>
        <li>Innerhalb von 6 Stunden nach der Übermittlung erhalten Sie bis zu 3 Angebote geprüfter Fachfirmen.</li>
      </ul>
    </>
  );
}
