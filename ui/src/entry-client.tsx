import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { App } from "./app.tsx";
import { RouterKit } from "./routing/router-kit.tsx";
import { readSettings } from "./settings/client.ts";
import { SettingsProvider } from "./settings/context.tsx";
import { browserPages } from "./static/browser-pages.ts";
import { PagesContext } from "./static/pages.ts";
import "./styles/index.css";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no element with the id root.");

// As a transition, it is done in slices: a visitor who taps meanwhile is answered at once.
startTransition(() => {
  hydrateRoot(
    root,
    <StrictMode>
      <SettingsProvider value={readSettings()}>
        <PagesContext value={browserPages()}>
          <BrowserRouter>
            <RouterKit>
              <App />
            </RouterKit>
          </BrowserRouter>
        </PagesContext>
      </SettingsProvider>
    </StrictMode>,
  );
});
