import { PageIntro } from "../components/page-intro.tsx";
import { SettingsForm } from "../consent/settings-form.tsx";
import { PageHead } from "../meta/page-head.tsx";
import { routeMeta } from "../meta/page-meta.ts";
import { ProseBody } from "../prose/prose-body.tsx";
import { route } from "../routes/routes.ts";

/** Renders the visitor's choice about cookies, and what it means. */
export function CookieSettingsPage() {
  return (
    <>
      <PageHead meta={routeMeta(route("/cookie-einstellungen"))} />
      <div className="layout-wrap layout-page">
        <PageIntro title="Cookie-Einstellungen" />
        <div className="settings-form-columns">
          <SettingsForm />
          <div>
            <ProseBody id="page-cookie-einstellungen" />
          </div>
        </div>
      </div>
    </>
  );
}
