import type { ComponentProps } from "react";
import { PriceChart } from "./charts/price-chart.tsx";
import { SeasonChart } from "./charts/season-chart.tsx";
import { Claim } from "../template/claim.tsx";
import { IfSetting, useText } from "../template/settings.tsx";
import type { TextName } from "../template/site-settings.ts";
import { Figure } from "./blocks/figure.tsx";
import { Checklist } from "./blocks/checklist.tsx";
import { Hamburg } from "./blocks/hamburg.tsx";
import { Note } from "./blocks/note.tsx";
import { NextSteps } from "./blocks/next-steps.tsx";
import { ProductComparison } from "./blocks/product-comparison.tsx";
import { PropertyPicker } from "./blocks/property-picker.tsx";
import { Question } from "./blocks/question.tsx";
import { QuoteBox } from "./blocks/quote-box.tsx";
import { Accordion } from "../components/accordion.tsx";
import { OutwardLink } from "../components/outward-link.tsx";
import { Table } from "../components/table.tsx";
import { CallToAction } from "../components/call-to-action.tsx";

/** A text from the operator's settings. */
function OperatorText({ name }: { name: TextName }) {
  return useText(name);
}

/** The operator's name, address and contact details. */
function OperatorAddress() {
  const email = useText("operator.email");
  return (
    <address>
      <Line name="operator.legal_name" />
      <Line name="operator.street" />
      <IfSetting name="operator.city">
        <IfSetting name="operator.postal_code">
          <OperatorText name="operator.postal_code" />{" "}
        </IfSetting>
        <OperatorText name="operator.city" />
        <br />
      </IfSetting>
      <IfSetting name="operator.phone">
        Telefon: <a href={useText("operator.phone_link")}>{useText("operator.phone")}</a>
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
    <IfSetting name={name}>
      <OperatorText name={name} />
      <br />
    </IfSetting>
  );
}

/** Renders its children only if `IfSetting` would not: for texts about a feature that is off. */
function UnlessSetting({ name, children }: ComponentProps<typeof IfSetting>) {
  return (
    <IfSetting name={name} otherwise={children}>
      {null}
    </IfSetting>
  );
}

/** The link to the questionnaire in the middle of an article. */
function CallToActionCard(card: Omit<ComponentProps<typeof CallToAction>, "as">) {
  return <CallToAction {...card} as="p" />;
}

/** The components that texts may use. The build knows their names and attributes (`build/content/blocks.ts`). */
export const blocks = {
  IfSetting,
  UnlessSetting,
  OperatorText,
  OperatorAddress,
  Figure,
  Claim,
  Checklist,
  Note,
  QuoteBox,
  FaqBlock: Accordion,
  Question,
  ProductComparison,
  CallToActionCard,
  Hamburg,
  PropertyPicker,
  NextSteps,
  PriceChart,
  SeasonChart,
};

/** A link in a text, within the site or to another. */
function Link({ href = "", children }: ComponentProps<"a">) {
  return href.startsWith("https:") ? <OutwardLink href={href}>{children}</OutwardLink> : <a href={href}>{children}</a>;
}

/** The components for the elements of a text: the blocks, and replacements for some Markdown elements. */
export const proseComponents = { ...blocks, table: Table, a: Link };
