import { About } from "../home/about.tsx";
import { HowItWorks } from "../home/how-it-works.tsx";
import { Services } from "../home/services.tsx";
import { Testimonials } from "../home/testimonials.tsx";
import { PageHead } from "../meta/page-head.tsx";
import { routeMeta } from "../meta/page-meta.ts";
import { route } from "../routes.ts";

/** The static part of the home page. */
export function HomeSections() {
  return (
    <>
      <PageHead meta={routeMeta(route("/"))} />
      <HowItWorks />
      <Services />
      <About />
      <Testimonials />
    </>
  );
}
