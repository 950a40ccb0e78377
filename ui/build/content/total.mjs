/**
 * What `<Total of={[["net", 10], ["cleaning", 10]]} />` amounts to: the sum of facts, each times a number or another fact,
 * from all low ends to all high ends, rounded to whole numbers. `over` is a duration in years that the sum is spread over.
 * Answers a fact without a name. `complain` ends the build where the parts do not add up.
 */
export function totalOf(facts, parts, over, complain) {
  const amounts = parts.map(([name, factor]) => {
    const times = typeof factor === "number" ? { low: factor, high: factor } : facts[factor];
    return { ...facts[name], low: product(facts[name].low, times.low), high: product(facts[name].high, times.high) };
  });
  const words = new Set(amounts.map(({ unit }) => unit.word));
  if (words.size > 1) complain(`<Total> cannot add ${[...words].join(" and ")}`);
  if (words.has(null)) complain("<Total> cannot add months of the year");
  const sum = { low: sumOf(amounts, "low"), high: sumOf(amounts, "high"), rough: amounts.some(({ rough }) => rough) };
  if (sum.low === null && sum.high === null) complain("<Total>: neither the low nor the high end is known");
  const unit = { ...amounts[0].unit, per: null };
  return over ? perYear({ ...sum, unit }, facts[over], complain) : { ...sum, unit };
}

function perYear({ low, high, rough, unit }, years, complain) {
  if (years.unit.name !== "Jahre" || !years.low || !years.high)
    complain("over: must be a fact in years with both ends");
  const ends = {
    low: low === null ? null : Math.round(low / years.high),
    high: high === null ? null : Math.round(high / years.low),
  };
  return { ...ends, rough, unit: { ...unit, per: "im Jahr" } };
}

/** An end that is open stays open. */
function product(amount, factor) {
  return amount === null || factor === null ? null : amount * factor;
}

function sumOf(amounts, end) {
  if (amounts.some((amount) => amount[end] === null)) return null;
  return Math.round(amounts.reduce((sum, amount) => sum + amount[end], 0));
}
