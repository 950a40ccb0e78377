import assert from "node:assert/strict";
import { test } from "node:test";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { About } from "./about.tsx";
import { Testimonials } from "./testimonials.tsx";

const text = (component: () => React.ReactNode) =>
  renderToStaticMarkup(createElement(component)).replace(/<[^>]+>/g, " ");

test("one block names the average rating of 4.9, another the one of 4.8 (spec, section 1)", () => {
  assert.match(text(About), /4,9 von 5/);
  assert.match(text(Testimonials), /4,8 von 5 Sternen/);
});
