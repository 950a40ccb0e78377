import { Hero } from "./hero.tsx";
import { About } from "./about.tsx";
import { HowItWorks } from "./how-it-works.tsx";
import { ServiceMap } from "./service-map.tsx";
import { Services } from "./services.tsx";
import { Testimonials } from "./testimonials.tsx";
import { InlineScript } from "../../inline/inline-script.tsx";

/** Renders the home page. Its behaviour is in `src/enhancements`, and in a script that scrolls to the section of a link. */
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
    </>
  );
}
