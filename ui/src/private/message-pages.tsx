import type { ReactNode } from "react";
import { IfSetting, useText } from "../template/settings.tsx";
import { Intro } from "./intro.tsx";
import { slot } from "../template/template.tsx";

interface MessageProps {
  title: string;
  lead: ReactNode;
  children: ReactNode;
}

/** Renders a page with one message and what to do next. */
export function Message({ title, lead, children }: MessageProps) {
  return (
    <>
      <Intro title={title} lead={lead} />
      {children}
    </>
  );
}

/** Renders the links that are of use on every such page. */
function OnwardLinks() {
  const email = useText("operator.email");
  return (
    <p className="actions">
      <a className="button-plain" href="/">
        Zur Startseite
      </a>
      <IfSetting name="operator.email">
        <a className="button-quiet" href={`mailto:${email}`}>
          E-Mail an uns
        </a>
      </IfSetting>
    </p>
  );
}

export function GonePage() {
  return (
    <Message
      title="Diese Seite gibt es nicht mehr"
      lead="Vielleicht fehlt ein Teil des Links, oder die Anfrage wurde gelöscht. Öffnen Sie den Link am besten noch einmal aus unserer E-Mail."
    >
      <OnwardLinks />
    </Message>
  );
}

export function RefusedPage() {
  return (
    <Message
      title="Das hat nicht geklappt"
      lead="Ihr Browser hat das Formular nicht so gesendet, wie wir es erwarten, deshalb ist nichts gespeichert. Öffnen Sie bitte den Link aus unserer E-Mail und versuchen Sie es dort noch einmal."
    >
      <OnwardLinks />
    </Message>
  );
}

export function LimitedPage() {
  return (
    <Message
      title="Zu viele Aufrufe"
      lead="Von Ihrem Anschluss kamen in kurzer Zeit zu viele Aufrufe. Diese Sperre schützt persönliche Seiten davor, erraten zu werden. Bitte versuchen Sie es in einer Minute noch einmal."
    >
      <OnwardLinks />
    </Message>
  );
}

export function UnavailablePage() {
  return (
    <Message
      title="Im Moment nicht erreichbar"
      lead="Wir erreichen unsere Datenbank gerade nicht. Falls Sie etwas eingegeben haben, wurde es nicht gespeichert. Bitte versuchen Sie es in einigen Minuten noch einmal."
    >
      <OnwardLinks />
    </Message>
  );
}

export function NewsletterConfirmPage() {
  return (
    <Message
      title="Newsletter bestellen"
      lead="Ein Klick noch: Bestätigen Sie, dass Sie den Newsletter an diese E-Mail-Adresse erhalten möchten."
    >
      <form className="actions" method="post" action={slot("action")}>
        <button className="button" type="submit">
          Anmeldung bestätigen
        </button>
      </form>
      <p className="private-page-text field-hint">
        Waren Sie das nicht? Dann schließen Sie diese Seite. Ohne Bestätigung schicken wir Ihnen nichts.
      </p>
    </Message>
  );
}

export function NewsletterConfirmedPage() {
  return (
    <Message
      title="Ihre Anmeldung ist bestätigt"
      lead="Vielen Dank. Den nächsten Newsletter schicken wir Ihnen zu. Abmelden können Sie sich in jeder Ausgabe mit einem Klick."
    >
      <p className="actions">
        <a className="button-plain" href="/blog">
          Zum Ratgeber
        </a>
      </p>
    </Message>
  );
}

export function NewsletterUnsubscribePage() {
  return (
    <Message
      title="Newsletter abbestellen"
      lead="Möchten Sie keinen Newsletter mehr erhalten? Wir löschen Ihre E-Mail-Adresse dann aus der Liste."
    >
      <form className="actions" method="post" action={slot("action")}>
        <button className="button-plain" type="submit">
          Abmelden
        </button>
        <a className="button-quiet" href="/blog">
          Doch nicht
        </a>
      </form>
    </Message>
  );
}

export function NewsletterUnsubscribedPage() {
  return (
    <Message
      title="Sie sind abgemeldet"
      lead="Ihre E-Mail-Adresse ist aus der Liste gelöscht. Sie erhalten keinen Newsletter mehr."
    >
      <OnwardLinks />
    </Message>
  );
}

export function NewsletterExpiredPage() {
  return (
    <Message
      title="Dieser Link gilt nicht mehr"
      lead="Links zur Bestätigung laufen ab, und nach einer Abmeldung gelten sie nicht mehr. Den Newsletter können Sie jederzeit neu bestellen."
    >
      <p className="actions">
        <a className="button-plain" href="/blog#newsletter">
          Newsletter neu bestellen
        </a>
      </p>
    </Message>
  );
}
