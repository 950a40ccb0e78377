import { Hero } from "../home/hero.tsx";
import { About } from "../home/about.tsx";
import { HowItWorks } from "../home/how-it-works.tsx";
import { ServiceMap } from "../home/service-map.tsx";
import { Services } from "../home/services.tsx";
import { Testimonials } from "../home/testimonials.tsx";
import { InlineScript } from "../inline/inline-script.tsx";

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
