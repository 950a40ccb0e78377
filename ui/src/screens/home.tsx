import { Hero } from "../home/hero.tsx";
import { StaticPart } from "../static/static-part.tsx";
import { WithPage } from "../static/with-page.tsx";

/** The home page: what it asks, and below it the sections that only tell (`pages/home-sections.tsx`). */
export function HomeScreen() {
  return (
    <WithPage>
      {(page) => (
        <>
          <Hero />
          <StaticPart html={page.html} />
        </>
      )}
    </WithPage>
  );
}
