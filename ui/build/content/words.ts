import type { Form } from "./fact-text.ts";
import type { Facts } from "./facts.ts";
import { z } from "zod";
import { attributesOf, factName } from "./blocks.ts";
import { amountText, factText } from "./fact-text.ts";
import { flag, table } from "./fields.ts";
import { paybackOf } from "./payback.ts";
import { totalOf } from "./total.ts";
import type { Complain, TextElement, TextNode } from "./tree.ts";

/** A component that is replaced by words. */
type Writer = (element: TextElement, complain: Complain) => string;
export type Words = Readonly<Record<string, Writer | null>>;

/** Marks the figures of an example, and is replaced by its content. */
const ASSUMPTION = "Assumption";

/**
 * Returns the components that are replaced by words: `<Fact>` by those of a fact, `<Origin>` by its origin, `<Total>` by
 * a sum, `<Payback>` by the years after which something has paid off.
 */
export function wordsFor(facts: Facts): Words {
  const name = factName(facts);
  const parts = z.array(z.tuple([name, z.union([z.number(), name])], PARTS), PARTS).min(1, PARTS);
  const form = { dative: flag, least: flag };
  const find = (one: string) => facts[one] as Facts[string];
  return {
    Fact: writer(table({ name, bare: flag, ...form }), ({ name: one, bare, ...how }) =>
      bare ? amountText(find(one), formOf(how)) : factText(find(one), formOf(how)),
    ),
    Origin: writer(table({ name }), ({ name: one }) => find(one).origin),
    Total: writer(
      table({ of: parts, over: name.optional(), share: z.number().optional(), partial: flag, middle: flag, ...form }),
      ({ of, over, share, partial, middle, ...how }, complain) =>
        factText(totalOf(facts, of, { over, share, isPartial: partial, isMiddle: middle }, complain), formOf(how)),
    ),
    Payback: writer(table({ cost: parts, saves: parts, upkeep: parts, ...form }), (bill, complain) =>
      factText(paybackOf(facts, bill, complain), formOf(bill)),
    ),
    [ASSUMPTION]: null,
  };
}

const PARTS = 'must be [["a fact", 10], …]: each a fact and how often it counts';

function formOf({ dative, least }: { dative: boolean; least: boolean }): Form {
  return { isDative: dative, isLeast: least };
}

function writer<Schema extends z.ZodType>(
  schema: Schema,
  write: (attributes: z.output<Schema>, complain: (message: string) => never) => string,
): Writer {
  return (element, complain) => write(attributesOf(element, schema, complain), (message) => complain(element, message));
}

/** Replaces such components by their words. */
export function insertWords(nodes: readonly TextNode[], words: Words, complain: Complain): TextNode[] {
  return nodes.flatMap((node): TextNode[] => {
    if (typeof node === "string") return [node];
    const children = insertWords(node.children, words, complain);
    if (node.type === ASSUMPTION) return children;
    const write = Object.hasOwn(words, node.type) ? words[node.type] : null;
    return write ? unbroken(write(node, complain), node.line) : [{ ...node, children }];
  });
}

/** Keeps a range on one line. Non-breaking spaces do not prevent a break at its dash, but keep its unit beside it. */
function unbroken(text: string, line: number): TextNode[] {
  const parts = text.split(/(\S*–\S*)/);
  return parts.map((part) =>
    part.includes("–") ? { type: "span", props: { className: "fact" }, children: [part], line } : part,
  );
}
