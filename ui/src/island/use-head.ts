import { useEffect } from "react";
import { documentTitle, type PageMeta, robotsOf } from "../meta/page-meta.ts";
import { useText } from "../settings/context.tsx";

/** Keeps title and metadata of the document true to the screen: the questionnaire's becomes the thank-you page's. */
export function useHead(meta: PageMeta): void {
  const title = documentTitle(meta, useText("name"));
  const origin = useText("origin");
  useEffect(() => {
    document.title = title;
    for (const [selector, attribute, value] of [
      ["meta[name=description]", "content", meta.description],
      ["meta[name=robots]", "content", robotsOf(meta)],
      ["meta[name=keywords]", "content", meta.keywords.join(", ")],
      ["link[rel=canonical]", "href", origin + (meta.path ?? "")],
    ] as const)
      document.head.querySelector(selector)?.setAttribute(attribute, value);
    // Title and address tell one screen from the other.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [title, origin, meta.path]);
}
