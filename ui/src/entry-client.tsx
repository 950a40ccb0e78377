import { startTransition, StrictMode, useLayoutEffect, type ReactNode } from "react";
import { hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { App } from "./app.tsx";
import { followEarlyPopstate } from "./routing/early-popstate.ts";
import { RouterKit } from "./routing/router-kit.tsx";
import { readSettings } from "./settings/client.ts";
import { SettingsProvider } from "./settings/context.tsx";
import { browserPages } from "./static/browser-pages.ts";
import { PagesContext } from "./static/pages.ts";
import "./styles/index.css";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no element with the id root.");
const { isElsewhere, stop } = followEarlyPopstate(root.dataset.page);
if (!isElsewhere) hydrate(root, stop);

function hydrate(root: HTMLElement, onHydrated: () => void): void {
  // A transition is rendered in slices, so that a tap in between is answered at once.
  startTransition(() => {
    hydrateRoot(
      root,
      <StrictMode>
        <SettingsProvider value={readSettings()}>
          <PagesContext value={browserPages()}>
            <BrowserRouter>
              <RouterKit>
                <Hydrated onHydrated={onHydrated}>
                  <App />
                </Hydrated>
              </RouterKit>
            </BrowserRouter>
          </PagesContext>
        </SettingsProvider>
      </StrictMode>,
    );
  });
}

/**
 * Calls back once the page is hydrated and the router follows the address. It wraps the app instead of standing beside it,
 * because React's ids count siblings, and the prerender has none.
 */
function Hydrated({ onHydrated, children }: { onHydrated: () => void; children: ReactNode }) {
  useLayoutEffect(onHydrated, [onHydrated]);
  return children;
}
