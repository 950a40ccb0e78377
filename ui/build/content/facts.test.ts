import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { findFact } from "../../src/prose/facts/facts.ts";
import { germanNumber, monthName } from "../../src/prose/facts/format.ts";
import { readFacts } from "./facts.ts";

let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "taubenabwehr-facts-"));
});
after(() => rm(folder, { recursive: true, force: true }));

test("facts read as Germans write them, and numbers stay with their units", () => {
  const texts = {
    net: "25–80 Euro je m²",
    "roof-cleaning": "400–1.500 Euro",
    installation: "ab etwa 300 Euro",
    maintenance: "80–150 Euro im Jahr",
    "electric-life": "10 Jahre und länger",
    subsidy: "bis zu 30 Prozent",
    saving: "etwa 20 Prozent",
    "season-peak": "März bis August",
    "season-quiet": "November bis Februar",
    droppings: "etwa 12 kg im Jahr",
    broods: "bis zu 6 Bruten im Jahr",
    "city-pigeons": "etwa 20.000–30.000 Stadttauben",
    "ladder-hours": "bis zu 2 Stunden je Schicht",
  };
  for (const [name, expected] of Object.entries(texts)) {
    const { text } = findFact(name);
    assert.equal(text.replaceAll("\u00a0", " "), expected);
    assert.doesNotMatch(text, /[0-9] /);
  }
});

test("an amount can be shown without what it refers to", () => {
  assert.equal(findFact("net").amount, "25–80\u00a0Euro");
});

test("numbers and months are formatted in German", () => {
  assert.deepEqual([0.5, 8, 1500].map(germanNumber), ["0,5", "8", "1.500"]);
  assert.deepEqual([1, 3, 12].map(monthName), ["Januar", "März", "Dezember"]);
});

test("an unknown fact is an error", () => {
  assert.throws(() => findFact("gold"), /no fact gold/);
});

const FACT = `[[fact]]\nname = "net"\nlabel = "Netz"\nlow = 25\nhigh = 80\nunit = "EUR/m²"\nmeaning = "montiert"\norigin = "editors"\n`;
const ORIGIN = `\n[[origin]]\nname = "editors"\ntext = "Schätzung"\nmonth = "2026-11"\nprices = "brutto"\n`;

test("a mistake in the facts is reported with its line", async () => {
  const season = FACT.replace("EUR/m²", "Monat");
  const cases: [string, RegExp][] = [
    [FACT.replace("low = 25", "low = 81"), /:4: low: 81 is more than high, 80$/],
    [FACT.replace("EUR/m²", "DM"), /:6: unit: must be one of EUR, /],
    [FACT.replace("label", "lable"), /:3: lable: unknown key; known are name, /],
    [FACT.replace("low = 25\nhigh = 80", "value = 3\nhigh = 80"), /:5: high: give either a value or low and high$/],
    [FACT.replace("low = 25\nhigh = 80\n", ""), /:1: value: give a value, or low or high or both$/],
    [FACT.replace('"net"', '"Das Netz"'), /:2: name: must be lower-case letters/],
    [FACT.replace("25", '"25"'), /:4: low: must be a number$/],
    [`${FACT}\n${FACT}`, /:11: name: net is there twice$/],
    [`${FACT}\n${FACT.replace('"net"', '"two"').replace("low = 25", "low = 99")}`, /:13: low: 99 is more than/],
    [season, /:4: low: must be a month from 1 to 12$/],
    [`${FACT}\n[[facts]]\nname = "x"\n`, /:10: facts: unknown key; known are fact, origin$/],
  ];
  for (const [source, expected] of cases) await assert.rejects(read(source), expected);
});

test("every figure has an origin, and an estimate states its month and what its prices include", async () => {
  const { net } = await read(FACT);
  assert.deepEqual([net?.origin, net?.isEstimate], ["Schätzung, Stand November 2026, brutto", true]);
  const sold = await read(FACT.replace("EUR/m²", "Jahre"));
  assert.equal(sold.net?.origin, "Schätzung, Stand November 2026");
  const cited = await read(
    `${FACT.replace("editors", "basel")}${FACT.replace("net", "wire")}\n[[origin]]\nname = "basel"\ntext = "Basel"\n`,
  );
  assert.deepEqual([cited.net?.origin, cited.net?.isEstimate], ["Basel", false]);
  await assert.rejects(read(FACT.replace('origin = "editors"\n', "")), /:1: origin: must be lower-case/);
  await assert.rejects(read(FACT.replace("editors", "nobody")), /:8: origin: there is no \[\[origin\]\] nobody$/);
  await assert.rejects(read(`${FACT}\n[[origin]]\nname = "unused"\ntext = "x"\n`), /:11: name: no fact has it$/);
});

test("a minimum must be a known price", async () => {
  const least = FACT.replace('"net"', '"least"');
  const priced = (name: string) => `${FACT}minimum = "${name}"\n${least}`;
  assert.equal((await read(priced("least"))).net?.minimum, "least");
  await assert.rejects(read(priced("gold")), /:9: minimum: there is no fact gold with a low end$/);
  await assert.rejects(
    read(priced("least").replace(/EUR\/m²(?![^]*EUR)/, "Jahre")),
    /:9: minimum: least has another unit$/,
  );
});

test("a season may span the turn of the year", async () => {
  const facts = await read(FACT.replace("EUR/m²", "Monat").replace("25", "11").replace("80", "2"));
  assert.deepEqual([facts.net?.low, facts.net?.high], [11, 2]);
});

async function read(source: string) {
  const file = join(folder, "facts.toml");
  await writeFile(file, source + ORIGIN);
  return readFacts(file);
}
