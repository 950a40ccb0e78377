import { PageHead } from "../meta/page-head.tsx";
import { routeMeta } from "../meta/page-meta.ts";
import { ProseBody } from "../prose/prose-body.tsx";
import { route } from "../routes/routes.ts";

/** Renders the static part of the cookie settings. */
export function CookieText() {
  return (
    <>
      <PageHead meta={routeMeta(route("/cookie-einstellungen"))} />
      <ProseBody id="page-cookie-einstellungen" />
    </>
  );
}
