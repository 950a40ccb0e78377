import { PageIntro } from "../components/page-intro.tsx";
import { SettingsForm } from "../enhancements/consent/settings-form.tsx";
import { ProseBody } from "../prose/prose-body.tsx";

/** Renders the visitor's choice about cookies, and what it means. */
export function CookieSettingsPage() {
  return (
    <div className="layout-wrap layout-page">
      <PageIntro title="Cookie-Einstellungen" />
      <div className="settings-form-columns columns">
        <SettingsForm />
        <div>
          <ProseBody id="page-cookie-einstellungen" />
        </div>
      </div>
    </div>
  );
}
