import assert from "node:assert/strict";
import { PHONE, useEngines } from "./support/stage.ts";

const test = useEngines();

const PAGES = [
  "/",
  "/blog",
  "/blog/taubenabwehr-kosten-hamburg",
  "/blog/kategorie/kosten",
  "/faq",
  "/datenschutz",
  "/cookie-einstellungen",
  "/danke",
  "/fragebogen",
  "/sitemap",
] as const;

test(
  "pages of every kind open without an error, a request to anybody else or a sideways scroll",
  PHONE,
  async (visitor) => {
    for (const path of PAGES) {
      await visitor.open(path);
      assert.notEqual(await visitor.text("main h1"), "", path);
      const beyond = await visitor.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(beyond <= 0, `${path} is ${beyond} pixels too wide`);
      await visitor.leavesQuietly();
    }
  },
);

test("every picture of the home page and of an article is shown", PHONE, async (visitor) => {
  for (const path of ["/", "/blog/taubenabwehr-kosten-hamburg"]) {
    await visitor.open(path);
    const count = await visitor.evaluate(() => document.images.length);
    for (let index = 0; index < count; index += 1) {
      await visitor.evaluate((index) => document.images[index]?.scrollIntoView({ behavior: "instant" }), index);
      await visitor.meets(
        `picture ${index} of ${path}`,
        (index) => {
          const image = document.images[index];
          return image === undefined || !image.checkVisibility() || (image.complete && image.naturalWidth > 0);
        },
        index,
      );
    }
  }
});
