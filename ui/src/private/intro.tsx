import type { ComponentProps } from "react";
import { PageIntro } from "../components/page-intro.tsx";

/** Opens a private page: as other pages, with the drawing that all of them have. */
export function Intro(texts: Pick<ComponentProps<typeof PageIntro>, "title" | "lead">) {
  return <PageIntro {...texts} drawing="ledges/pair" />;
}
