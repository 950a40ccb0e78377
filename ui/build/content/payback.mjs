/** @import { Complain } from "./attributes.mjs" */
/** @import { Amount } from "./fact-text.mjs" */
/** @import { Facts } from "./facts.mjs" */
/** @import { Part } from "./total.mjs" */
import { totalOf } from "./total.mjs";
import { UNITS } from "./units.mjs";

/** @typedef {{ cost: readonly Part[], saves: readonly Part[], upkeep: readonly Part[] }} Bill once, and twice a year */

/**
 * Returns after how many whole years a cost is saved, where `saves` falls away each year and `upkeep` is spent instead: with
 * all prices at their low ends, and with all at their high ends.
 *
 * @param {Facts} facts
 * @param {Bill} bill
 * @param {Complain} complain
 * @returns {Amount}
 */
export function paybackOf(facts, { cost, saves, upkeep }, complain) {
  const [once, saved, spent] = [cost, saves, upkeep].map((parts) => totalOf(facts, parts, {}, complain));
  const years = /** @type {const} */ (["low", "high"]).map((end) => {
    const gain = (saved?.[end] ?? 0) - (spent?.[end] ?? 0);
    return gain > 0 ? (once?.[end] ?? 0) / gain : complain("<Payback>: what is saved does not cover the upkeep");
  });
  const [low = 0, high = 0] = years.map((value) => Math.max(1, Math.round(value))).sort((a, b) => a - b);
  return { low, high, rough: true, unit: { name: "Jahre", ...UNITS.Jahre } };
}
