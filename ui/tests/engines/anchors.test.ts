import type { Target } from "./support/in-page.ts";
import { DESKTOP, useEngines } from "./support/stage.ts";
import type { Visitor } from "./support/visitor.ts";

const test = useEngines();

const headerLink = (name: string): Target => ({ role: "link", name, inside: "header" });

/** Waits until a section stands 100 pixels below the top, where the header does not cover it, and has the focus. */
async function showsSection(visitor: Visitor, id: string): Promise<void> {
  await visitor.meets(
    `the section ${id} below the header, with the focus`,
    (id) => {
      const section = document.getElementById(id);
      const top = section?.getBoundingClientRect().top ?? Number.NaN;
      return Math.abs(top - 100) < 5 && document.activeElement === section;
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
  await visitor.back("/#services");
  await visitor.back("/faq");
  await visitor.leavesQuietly();
});

test("an address with an anchor opens at its section", DESKTOP, async (visitor) => {
  await visitor.open("/#about-us");
  await showsSection(visitor, "about-us");
  await visitor.leavesQuietly();
});
