import type { ReactNode } from "react";
import { IfSetting, useText } from "../template/settings.tsx";
import { slot } from "../template/template.tsx";
import { Intro } from "./intro.tsx";
import { Submit } from "../components/submit.tsx";

interface MessagePage {
  /** The name of its template. */
  name: string;
  /** The title, without the name of the site. */
  title: string;
  /** If different from the title. */
  heading?: string;
  lead: string;
  /** What to do next, unless that is just to go elsewhere. */
  next?: ReactNode;
}

const MESSAGES: readonly MessagePage[] = [
  {
    name: "gone",
    title: "Seite nicht gefunden",
    heading: "Diese Seite gibt es nicht mehr",
    lead: "Vielleicht fehlt ein Teil des Links, oder die Anfrage wurde gelöscht. Öffnen Sie den Link am besten noch einmal aus unserer E-Mail.",
  },
  {
    name: "refused",
    title: "Nicht gespeichert",
    heading: "Das hat nicht geklappt",
    lead: "Ihr Browser hat das Formular nicht so gesendet, wie wir es erwarten, deshalb ist nichts gespeichert. Öffnen Sie bitte den Link aus unserer E-Mail und versuchen Sie es dort noch einmal.",
  },
  {
    name: "limited",
    title: "Zu viele Aufrufe",
    lead: "Von Ihrem Anschluss kamen in kurzer Zeit zu viele Aufrufe. Diese Sperre schützt persönliche Seiten davor, erraten zu werden. Bitte versuchen Sie es in einer Minute noch einmal.",
  },
  {
    name: "unavailable",
    title: "Im Moment nicht erreichbar",
    lead: "Wir erreichen unsere Datenbank gerade nicht. Falls Sie etwas eingegeben haben, wurde es nicht gespeichert. Bitte versuchen Sie es in einigen Minuten noch einmal.",
  },
  {
    name: "newsletter-confirm",
    title: "Newsletter bestellen",
    lead: "Ein Klick noch: Bestätigen Sie, dass Sie den Newsletter an diese E-Mail-Adresse erhalten möchten.",
    next: (
      <>
        <form className="actions" method="post" action={slot("action")}>
          <Submit look="button">Anmeldung bestätigen</Submit>
        </form>
        <p className="measure hint" data-above="4" data-below="5">
          Waren Sie das nicht? Dann schließen Sie diese Seite. Ohne Bestätigung schicken wir Ihnen nichts.
        </p>
      </>
    ),
  },
  {
    name: "newsletter-confirmed",
    title: "Anmeldung bestätigt",
    heading: "Ihre Anmeldung ist bestätigt",
    lead: "Vielen Dank. Den nächsten Newsletter schicken wir Ihnen zu. Abmelden können Sie sich in jeder Ausgabe mit einem Klick.",
    next: <OnwardLink to="/blog" label="Zum Ratgeber" />,
  },
  {
    name: "newsletter-unsubscribe",
    title: "Newsletter abbestellen",
    lead: "Möchten Sie keinen Newsletter mehr erhalten? Wir löschen Ihre E-Mail-Adresse dann aus der Liste.",
    next: (
      <form className="actions" method="post" action={slot("action")}>
        <Submit>Abmelden</Submit>
        <a className="button-quiet" href="/blog">
          Doch nicht
        </a>
      </form>
    ),
  },
  {
    name: "newsletter-unsubscribed",
    title: "Abgemeldet",
    heading: "Sie sind abgemeldet",
    lead: "Ihre E-Mail-Adresse ist aus der Liste gelöscht. Sie erhalten keinen Newsletter mehr.",
  },
  {
    name: "newsletter-expired",
    title: "Link abgelaufen",
    heading: "Dieser Link gilt nicht mehr",
    lead: "Links zur Bestätigung laufen ab, und nach einer Abmeldung gelten sie nicht mehr. Den Newsletter können Sie jederzeit neu bestellen.",
    next: <OnwardLink to="/blog#newsletter" label="Newsletter neu bestellen" />,
  },
];

/** Pages with a single message, which say what to do next. */
export const messagePages = MESSAGES.map(({ name, title, heading = title, lead, next }) => ({
  name,
  title,
  Content: () => (
    <>
      <Intro title={heading} lead={lead} />
      {next ?? <OnwardLinks />}
    </>
  ),
}));

function OnwardLink({ to, label }: { to: string; label: string }) {
  return (
    <p className="actions">
      <a className="button-plain" href={to}>
        {label}
      </a>
    </p>
  );
}

/** Renders the links that most of these pages share. */
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
