import type { ComponentProps } from "react";
import { PageIntro } from "../components/page-intro.tsx";

/** Opens a private page. All of them have the same drawing. */
export function Intro(texts: Pick<ComponentProps<typeof PageIntro>, "title" | "lead">) {
  return <PageIntro {...texts} drawing="ledges/pair" />;
}
