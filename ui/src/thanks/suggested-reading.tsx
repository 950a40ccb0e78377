import { Suspense } from "react";
import { StaticPart } from "../static/static-part.tsx";
import { usePage } from "../static/use-page.ts";

/**
 * Something to read while waiting for offers (`pages/thank-you-articles.tsx`). The page does not wait for it: what happened to the
 * inquiry is shown at once, and also if the server cannot be reached.
 */
export function SuggestedReading() {
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
