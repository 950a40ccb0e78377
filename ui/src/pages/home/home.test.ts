import assert from "node:assert/strict";
import { test } from "node:test";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { About } from "./about.tsx";
import { SettingsProvider } from "../../template/settings.tsx";
import type { Settings } from "../../template/site-settings.ts";
import { Testimonials } from "./testimonials.tsx";

const sample = { claims: { rating: { value: "4,9 von 5" }, rating_firms: { value: "4,8 von 5" } }, testimonials: true };

const text = (component: () => React.ReactNode, settings: object = sample) =>
  renderToStaticMarkup(
    createElement(SettingsProvider, { value: settings as unknown as Settings }, createElement(component)),
  )
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

test("one block names the average rating of 4.9, another the one of 4.8", () => {
  assert.match(text(About), /4,9 von 5/);
  assert.match(text(Testimonials), /4,8 von 5 Sternen/);
});

test("a claim shows its proof, and is absent where it is switched off", () => {
  const rating = { value: "4,7 von 5", basis: "312 Bewertungen", period: "2026" };
  assert.match(text(About, { claims: { rating } }), /im Schnitt \(312 Bewertungen, 2026\)\s+4,7 von 5/);
  assert.doesNotMatch(text(About, { claims: {} }), /von 5|Erfahrung mit Tauben|Prüforganisation/);
});

test("testimonials are marked as examples, and only the sample operator shows them", () => {
  assert.match(text(Testimonials), /Beispiele: /);
  assert.equal(text(Testimonials, { ...sample, testimonials: false }), "");
});
