import type { Facts } from "./facts.ts";
import { z } from "zod";
import { flag, optionalText, table, text } from "./fields.ts";
import { type Complain, elementsIn, type TextElement } from "./tree.ts";

/** Components that are replaced by words (`words.ts`) are not blocks. */
export type Blocks = Readonly<Record<string, z.ZodType>>;

const someTexts = z.array(text, "must be a list of texts").min(1, "must be a list of texts");

/** The name of one of these facts. */
export function factName(facts: Facts) {
  // Not `facts[name]` alone: every object has a `toString`.
  return text.refine((name) => Object.hasOwn(facts, name), {
    error: ({ input }) => `there is no fact ${String(input)} in facts.toml`,
  });
}

/** Names of facts that one chart shows. */
export function chartFacts(facts: Facts) {
  const message = 'must be a list of names of facts, facts={["…"]}';
  const units = (names: readonly string[]) => [...new Set(names.map((name) => facts[name]?.unit.name))];
  return z.array(factName(facts), message).refine((names) => units(names).length <= 1, {
    error: ({ input }) => `a chart has one unit, these facts have ${units(input as string[]).join(" and ")}`,
  });
}

/**
 * Returns the components that a text may use, with the schemas of their attributes. `src/prose/components.tsx` registers
 * the same components (a test compares them).
 */
export function blocksFor(facts: Facts) {
  const figure = z.string("must be the name of a fact").pipe(factName(facts)).optional();
  const subject = { problem: optionalText, propertyType: optionalText };
  return {
    IfSetting: table({ name: text }),
    UnlessSetting: table({ name: text }),
    OperatorText: table({ name: text }),
    OperatorAddress: table({}),
    Figure: table({ drawing: text, text, description: optionalText, isWide: flag }),
    Claim: table({ name: text }),
    Checklist: table({ title: optionalText }),
    Note: table({ kind: text }),
    QuoteBox: table({ label: text }),
    FaqBlock: table({}),
    Question: table({ title: text }),
    ProductComparison: table({
      criteria: someTexts,
      products: z.array(z.looseObject({ name: text, price: figure, life: figure })),
    }),
    CallToActionCard: table({ title: text, text, ...subject }),
    Hamburg: table({ topics: someTexts, title: optionalText }),
    PropertyPicker: table({ title: optionalText }),
    NextSteps: table({ title: text, ...subject }),
    PriceChart: table({ facts: chartFacts(facts), title: text, isCompact: flag }),
    SeasonChart: table({ title: optionalText }),
  } satisfies Blocks;
}

/** Fails the build at a component with invalid attributes, a heading where none is allowed, or a picture written in Markdown. */
export function checkBlock(element: TextElement, blocks: Blocks, complain: Complain) {
  const { type, children } = element;
  if (type === "img") complain(element, 'pictures are written as <Figure drawing="…" text="what it shows" />');
  const schema = Object.hasOwn(blocks, type) ? blocks[type] : undefined;
  if (schema) attributesOf(element, schema, complain);
  if (type === "UnlessSetting" && [...elementsIn(children)].some((inner) => /^h[1-6]$/.test(inner.type)))
    complain(
      element,
      "<UnlessSetting>: the table of contents would always list the heading in it; put the heading in front",
    );
}

/** Returns the attributes of a component. The first mistake fails the build. */
export function attributesOf<Schema extends z.ZodType>(
  element: TextElement,
  schema: Schema,
  complain: Complain,
): z.output<Schema> {
  const { data, error } = schema.safeParse(element.props);
  if (!error) return data;
  const [issue] = error.issues;
  const path = [...(issue?.path ?? []), ...(issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [])];
  return complain(element, `<${element.type}>: ${path.join(".")}: ${issue?.message}`);
}
