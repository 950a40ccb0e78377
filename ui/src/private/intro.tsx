import type { ComponentProps } from "react";
import { PageIntro } from "../components/page-intro.tsx";

/** Renders the heading of a private page. All of them share one drawing. */
export function Intro(texts: Pick<ComponentProps<typeof PageIntro>, "title" | "lead">) {
  return <PageIntro {...texts} drawing="ledges/pair" />;
}
