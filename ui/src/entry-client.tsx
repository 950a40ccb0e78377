import { startTransition, StrictMode, useLayoutEffect, type ReactNode } from "react";
import { hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { App } from "./app.tsx";
import { followEarlyTravel } from "./routing/early-travel.ts";
import { RouterKit } from "./routing/router-kit.tsx";
import { readSettings } from "./settings/client.ts";
import { SettingsProvider } from "./settings/context.tsx";
import { browserPages } from "./static/browser-pages.ts";
import { PagesContext } from "./static/pages.ts";
import "./styles/index.css";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no element with the id root.");
const { isElsewhere, stop } = followEarlyTravel(root.dataset.page);
if (!isElsewhere) hydrate(root, stop);

function hydrate(root: HTMLElement, onAlive: () => void): void {
  // As a transition, it is done in slices: a visitor who taps meanwhile is answered at once.
  startTransition(() => {
    hydrateRoot(
      root,
      <StrictMode>
        <SettingsProvider value={readSettings()}>
          <PagesContext value={browserPages()}>
            <BrowserRouter>
              <RouterKit>
                <Alive onAlive={onAlive}>
                  <App />
                </Alive>
              </RouterKit>
            </BrowserRouter>
          </PagesContext>
        </SettingsProvider>
      </StrictMode>,
    );
  });
}

/**
 * Says when the page has come alive; from then on the router follows the address. It stands around the app, not beside it:
 * ids count siblings, and the prerender has none.
 */
function Alive({ onAlive, children }: { onAlive: () => void; children: ReactNode }) {
  useLayoutEffect(onAlive, [onAlive]);
  return children;
}
