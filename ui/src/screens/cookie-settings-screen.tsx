import { PageIntro } from "../components/page-intro.tsx";
import { SettingsForm } from "../consent/settings-form.tsx";
import { StaticPart } from "../static/static-part.tsx";
import { WithPage } from "../static/with-page.tsx";

/** The visitor's choice about cookies, and what it means (`pages/cookie-text.tsx`). */
export function CookieSettingsScreen() {
  return (
    <WithPage>
      {(page) => (
        <div className="layout-wrap layout-page">
          <PageIntro title="Cookie-Einstellungen" />
          <div className="settings-form-columns">
            <SettingsForm />
            <StaticPart html={page.html} />
          </div>
        </div>
      )}
    </WithPage>
  );
}
