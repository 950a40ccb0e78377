import { useEffect, useRef } from "react";
import { guarded } from "../browser/guarded.ts";
import { picture } from "../enhancements/picture.ts";

/** Shows articles as the build has rendered them. */
export function SuggestedReading({ html }: { html: string }) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    root.current
      ?.querySelectorAll<HTMLElement>("[data-enhancement=picture]")
      .forEach((frame) => guarded(() => picture(frame)));
  }, [html]);
  return <div data-suggested-reading="" ref={root} dangerouslySetInnerHTML={{ __html: html }} />;
}
