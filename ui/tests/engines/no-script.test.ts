import assert from "node:assert/strict";
import { PHONE, useEngines } from "./support/stage.ts";

const test = useEngines();

const PLAIN = { ...PHONE, scripts: "off" } as const;

test("without JavaScript pages read the same, and their links and answers open", PLAIN, async (visitor) => {
  for (const path of ["/", "/blog", "/blog/taubenabwehr-kosten-hamburg", "/faq", "/datenschutz"]) {
    await visitor.open(path);
    await visitor.sees({ role: "heading", name: "" });
    const hidden = await visitor.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("main :is(h1, h2, h3, p)")]
        .filter(
          (element) => !element.closest("details, noscript, template, [data-needs-script], [popover], [popovertarget]"),
        )
        .filter((element) => !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        .map((element) => element.textContent)
        .filter((text) => text !== ""),
    );
    assert.deepEqual(hidden, [], path);
  }
  await visitor.open("/faq");
  await visitor.click({ role: "button", name: "Menü öffnen" });
  await visitor.click({ role: "link", name: "Blog", inside: "header" });
  await visitor.isAt("/blog");
  await visitor.back("/faq");
  await visitor.isAt("/faq");
});
