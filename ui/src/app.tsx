import { Suspense } from "react";
import * as Later from "./chunks/chunks.ts";
import { PageLoading } from "./components/page-loading.tsx";
import { Layout } from "./layout/layout.tsx";
import { ErrorBoundary } from "./routing/error-boundary.tsx";
import { Redirector } from "./routing/redirector.tsx";
import { useLocation } from "./routing/router.ts";
import { StaticScreen } from "./screens/static-screen.tsx";

/** Renders the whole site, inside a router: the browser's, or the static one of the prerender. */
export function App() {
  return (
    <ErrorBoundary>
      <Layout>
        <Redirector>
          <Suspense fallback={<PageLoading />}>
            <Screen />
          </Suspense>
        </Redirector>
      </Layout>
    </ErrorBoundary>
  );
}

/** Picks the screen of a path. Three are code; all other pages were made by the build, or do not exist. */
function Screen() {
  switch (useLocation().pathname) {
    case "/fragebogen":
      return <Later.QuestionnaireScreen />;
    case "/danke":
      return <Later.ThankYouScreen />;
    case "/cookie-einstellungen":
      return <Later.CookieSettingsScreen />;
    default:
      return <StaticScreen />;
  }
}
