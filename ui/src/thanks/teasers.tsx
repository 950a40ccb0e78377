import { Suspense } from "react";
import { StaticPart } from "../static/static-part.tsx";
import { usePage } from "../static/use-page.ts";

/**
 * Something to read while waiting for offers (`pages/thank-you-articles.tsx`). It comes when it comes: what happened to the
 * inquiry is told at once, and also when the server cannot be reached.
 */
export function Teasers() {
  return (
    <Suspense fallback={null}>
      <Content />
    </Suspense>
  );
}

function Content() {
  const page = usePage();
  return page && <StaticPart html={page.html} />;
}
