import assert from "node:assert/strict";
import { test } from "node:test";
import generated from "../../generated/facts.json" with { type: "json" };
import { findFigure } from "./figures.ts";
import { readText } from "./mdx.ts";

const read = (source: string) => readText("artikel.mdx", source, { facts: generated, isEditorial: true });

/** Returns the words that a text shows. */
async function words(source: string): Promise<string> {
  return (await read(source)).plain;
}

test("a fact's words appear in the text", async () => {
  assert.equal(await words('Ein Netz kostet <Fact name="net" />.'), "Ein Netz kostet 25–80 Euro je m².");
  assert.equal(
    await words('Es hält nach <Fact name="net-life" dative /> nicht mehr.'),
    "Es hält nach 5–8 Jahren nicht mehr.",
  );
  assert.equal(await words('| Netz | <Fact name="net" bare /> |\n|---|---|'), "Netz\n25–80 Euro");
  assert.equal(await words('<Fact name="season-peak" />'), "März bis August");
  assert.equal(await words('Es kostet <Fact name="installation" least />.'), "Es kostet mindestens etwa 300 Euro.");
});

test("a range does not break at its dash", async () => {
  const { body } = await read('Etwa <Fact name="net" />.');
  assert.match(JSON.stringify(body), /"type":"span","props":\{"className":"fact"\},"children":\["25–80"\]/);
});

test("totals are sums of facts, each with its quantity", async () => {
  const cases: [string, string][] = [
    ['<Total of={[["net", 20]]} />', "500–1.600 Euro"],
    ['<Total of={[["cleaning", 30], ["disinfection", 30]]} />', "450–1.200 Euro"],
    ['<Total of={[["net", 20]]} over="net-life" />', "63–320 Euro im Jahr"],
    ['<Total of={[["net", 20], ["balcony-cleaning", 1]]} middle />', "etwa 1.300 Euro"],
    ['<Total of={[["net", 20]]} share={0.1} />', "50–160 Euro"],
    ['<Total of={[["droppings", 10]]} />', "etwa 120 kg"],
    ['<Total of={[["eggs", "broods"]]} dative />', "bis zu 12 Eiern"],
    ['<Total of={[["installation", 1], ["balcony-cleaning", 1]]} />', "ab etwa 450 Euro"],
    ['<Total of={[["net", 2.5]]} partial />', "63–200 Euro"],
  ];
  for (const [source, expected] of cases) assert.equal(await words(`Das macht ${source}`), `Das macht ${expected}`);
});

test("an order costs at least the minimum, however little it measures", async () => {
  const cases: [string, string][] = [
    ['<Total of={[["net", 8]]} />', "etwa 300–640 Euro"],
    ['<Total of={[["net", 8]]} over="net-life" />', "etwa 38–128 Euro im Jahr"],
    ['<Total of={[["net", 2]]} />', "etwa 300 Euro"],
    ['<Total of={[["net", 6], ["spikes-hard", 14]]} />', "360–1.180 Euro"],
    ['<Total of={[["net", 8], ["balcony-cleaning", 1]]} />', "etwa 450–990 Euro"],
    ['<Total of={[["spikes-material", 5]]} />', "15–40 Euro"],
  ];
  for (const [source, expected] of cases) assert.equal(await words(`Das macht ${source}`), `Das macht ${expected}`);
});

test("the years after which a purchase has paid off are computed", async () => {
  const bill = 'cost={[["net", 8], ["balcony-cleaning", 1]]} saves={[["balcony-cleaning", 2]]}';
  assert.equal(await words(`Nach <Payback ${bill} upkeep={[["maintenance", 1]]} dative />`), "Nach etwa 2 Jahren");
  await assert.rejects(read(`Nach <Payback ${bill} upkeep={[["roof-cleaning", 1]]} />`), {
    message: /<Payback>: what is saved does not cover the upkeep$/,
  });
});

test("a text can name the origin of a figure", async () => {
  assert.equal(
    await words('Breite: <Origin name="slit-width" />.'),
    "Breite: Haag-Wackernagel und Geigenfeind, Basel, 2008.",
  );
  await assert.rejects(read('<Origin name="gold" />'), { message: /there is no fact gold/ });
});

test("a text lists the origins of the estimates that it shows", async () => {
  const { estimates } = await read('Es hält <Fact name="net-life" /> und kostet <Total of={[["net", 10]]} />.');
  assert.deepEqual(estimates, [
    "Schätzung der Redaktion, keine Marktumfrage, Stand November 2026, Preise mit Mehrwertsteuer",
  ]);
  assert.deepEqual((await read('Höchstens <Fact name="slit-width" /> breit.')).estimates, []);
});

test("a hand-written figure fails the build at its line", async () => {
  await assert.rejects(read("Eins.\n\nEin Netz kostet 25 Euro."), {
    message: /^artikel\.mdx:3: „25 Euro“: figures come from facts\.toml/,
  });
  await assert.rejects(read('<CallToActionCard title="Ab 300 EUR" text="x" />'), { message: /:1: „300 EUR“/ });
  await assert.rejects(read('<ProductComparison criteria={["a"]} products={[{ name: "x", suits: "2 m Kante" }]} />'), {
    message: /„2 m“/,
  });
  assert.equal(await words("Ein <Assumption>6 m²</Assumption> großer Balkon"), "Ein 6 m² großer Balkon");
});

test("figures are numbers with a unit, in digits or in words", () => {
  const figures = [
    "25 Euro",
    "30 %",
    "10–15 Prozent",
    "1.500 EUR",
    "2,5 m",
    "zwei Wochen",
    "fünf Jahren",
    "14-Tage",
    "20.000 Stadttauben",
    "50 mm",
  ];
  const others = [
    "§ 536 BGB",
    "drei Angebote",
    "1. März",
    "im Jahr 2003",
    "zwei Tauben",
    "drei Punkte",
    "Nr. 9 BetrKV",
    "FFP2 tragen",
    "Schritt 3 machen",
    "1.4401",
  ];
  for (const text of figures) assert.ok(findFigure(`Es sind ${text}.`), text);
  for (const text of others) assert.equal(findFigure(`Es sind ${text}.`), null, text);
});

test("a text that misuses facts fails the build at its line", async () => {
  const cases: [string, RegExp][] = [
    ['Eins.\n\nZwei <Fact name="gold" />.', /^artikel\.mdx:3: <Fact>: name: there is no fact gold in facts\.toml$/],
    ["<Fact />", /^artikel\.mdx:1: <Fact>: name: must be a text$/],
    ['| a |\n|---|\n| <Fact name="toString" /> |', /^artikel\.mdx:3: <Fact>: name: there is no fact toString/],
    [
      '\n\n<PriceChart title="x" facts={["net", "gold"]} />',
      /^artikel\.mdx:3: <PriceChart>: facts\.1: there is no fact gold/,
    ],
    [
      '<PriceChart title="x" facts={["net", "net-life"]} />',
      /a chart has one unit, these facts have EUR\/m² and Jahre$/,
    ],
    ['<Total of={[["gold", 2]]} />', /there is no fact gold/],
    ['<Total of={["net"]} />', /<Total>: of\.0: must be \[\["a fact", 10\], …\]/],
    ['<Total of={[["net", 2], ["net-life", 1]]} />', /<Total> cannot add Euro and Jahre$/],
    ['<Total of={[["installation", "broods"]]} />', /neither the low nor the high end is known$/],
    ['<ProductComparison criteria={["a"]} products={[{ name: "Draht", price: "gold" }]} />', /there is no fact gold/],
  ];
  for (const [source, expected] of cases) await assert.rejects(read(source), { message: expected });
});
