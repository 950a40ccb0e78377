import type { Target } from "./support/in-page.ts";
import { DESKTOP, useEngines } from "./support/stage.ts";
import type { Visitor } from "./support/visitor.ts";

const test = useEngines();

const headerLink = (name: string): Target => ({ role: "link", name, inside: "header" });

/** Waits until a section stands 100 pixels below the top, where the header does not cover it. */
async function showsSection(visitor: Visitor, id: string): Promise<void> {
  await visitor.meets(
    `the section ${id} below the header`,
    (id) => Math.abs((document.getElementById(id)?.getBoundingClientRect().top ?? Number.NaN) - 100) < 5,
    id,
  );
}

/** Presses the Tab key, and waits until the focus is where a section goes on. */
async function goesOnBehind(visitor: Visitor, id: string): Promise<void> {
  await visitor.press("Tab");
  await visitor.meets(
    `the focus behind the beginning of ${id}`,
    (id) => {
      const order = document.getElementById(id)?.compareDocumentPosition(document.activeElement ?? document.body) ?? 0;
      return (order & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    },
    id,
  );
}

test("the header leads to sections of the home page, from another page and from there", DESKTOP, async (visitor) => {
  await visitor.open("/faq");
  await visitor.click(headerLink("Leistungen"));
  await visitor.isAt("/#services");
  await showsSection(visitor, "services");
  await visitor.click(headerLink("Referenzen"));
  await visitor.isAt("/#testimonials");
  await showsSection(visitor, "testimonials");
  await goesOnBehind(visitor, "testimonials");
  await visitor.back("/#services");
  await visitor.back("/faq");
  await visitor.leavesQuietly();
});

test("an address with an anchor opens at its section", DESKTOP, async (visitor) => {
  await visitor.open("/#about-us");
  await showsSection(visitor, "about-us");
  await goesOnBehind(visitor, "about-us");
  await visitor.leavesQuietly();
});
