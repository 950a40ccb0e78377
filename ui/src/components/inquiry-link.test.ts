import assert from "node:assert/strict";
import { test } from "node:test";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { InquiryLink, inquiryPath, SubjectProvider } from "./inquiry-link.tsx";

test("a link chooses what it names, else what its page is about", () => {
  const html = (subject: object) =>
    renderToStaticMarkup(
      createElement(SubjectProvider, { value: { problem: "balkon" } }, createElement(InquiryLink, subject)),
    );
  assert.match(html({}), /href="\/fragebogen\?problem=balkon">Angebote anfragen</);
  assert.match(html({ propertyType: "multi" }), /href="\/fragebogen\?propertyType=multi"/);
  assert.equal(
    inquiryPath({ problem: "dach", propertyType: "industrial" }),
    "/fragebogen?problem=dach&propertyType=industrial",
  );
  assert.equal(inquiryPath({}), "/fragebogen");
});

test("a subject that chooses nothing is refused", () => {
  assert.throws(() => inquiryPath({ problem: "keller" }), {
    message: 'problem="keller": known are gewerbe, balkon, dach.',
  });
  assert.throws(() => inquiryPath({ propertyType: "villa" }), /propertyType="villa": known are residential-house, /);
});
