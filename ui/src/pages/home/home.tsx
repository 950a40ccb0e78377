import { Hero } from "./hero.tsx";
import { About } from "./about.tsx";
import { HowItWorks } from "./how-it-works.tsx";
import { ServiceMap } from "./service-map.tsx";
import { Services } from "./services.tsx";
import { Testimonials } from "./testimonials.tsx";
import { InquiryLink } from "../../components/inquiry-link.tsx";
import { SectionHeading } from "../../components/section.tsx";
import { InlineScript } from "../../inline/inline-script.tsx";
import home from "../../../generated/home.json" with { type: "json" };

/** Renders the home page. Its behaviour is in `src/enhancements`, and in a script that scrolls to a link's section. */
export function HomePage() {
  return (
    <>
      <InlineScript name="section" />
      <Hero />
      <HowItWorks />
      <Services />
      <About />
      <ServiceMap />
      <Testimonials />
      <section className="home-section harbour screen-only" aria-labelledby="home-end">
        <div className="layout-wrap">
          <SectionHeading id="home-end" {...home.end} />
          <InquiryLink />
        </div>
      </section>
    </>
  );
}
