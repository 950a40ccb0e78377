import type { ReactNode } from "react";
import { IfSetting } from "../template/settings.tsx";

/** Lists what happens after an inquiry: firms are asked automatically or, if none are configured, the operator handles it. */
export function WhatFollows() {
  return (
    <IfSetting name="handling.firms" otherwise={<OperatorSteps />}>
      <Steps>
        <Step title="Wir fragen passende Betriebe">
          Zuerst ohne Ihren Namen. Ihre Kontaktdaten erhalten höchstens drei, die Ihre Anfrage annehmen.
        </Step>
        <Step title="Wer annimmt, meldet sich">
          Mit Fragen, mit einem Termin zur Besichtigung oder gleich mit einem Angebot.
        </Step>
      </Steps>
    </IfSetting>
  );
}

/** Lists what happens if no firm was asked. */
export function OperatorSteps() {
  return (
    <Steps>
      <Step title="Wir melden uns bei Ihnen">Per Telefon oder E-Mail, mit Fragen zu Gebäude und Problem.</Step>
      <Step title="Wir vermitteln von Hand">
        Passt ein Fachbetrieb, erhält er Ihre Kontaktdaten; mehr als drei erhalten sie nie.
      </Step>
    </Steps>
  );
}

/** Ends every list the same way: the visitor decides. */
function Steps({ children }: { readonly children: ReactNode }) {
  return (
    <ol className="what-follows">
      {children}
      <Step title="Sie entscheiden in Ruhe">
        Sie nehmen ein Angebot an oder keines. Verpflichtet sind Sie zu nichts.
      </Step>
    </ol>
  );
}

function Step({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <li>
      <strong>{title}</strong>
      <span className="hint">{children}</span>
    </li>
  );
}
