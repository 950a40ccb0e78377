import { type ReactNode, StrictMode, useEffect } from "react";
import { flushSync } from "react-dom";
import { createRoot, hydrateRoot } from "react-dom/client";
import { guarded } from "../browser/guarded.ts";
import { whenShown } from "../browser/shown.ts";
import { deliver } from "../delivery/deliver.ts";
import { staysServed } from "../questionnaire/served-answers.ts";
import { readSettings } from "../settings/client.ts";
import { SettingsProvider } from "../settings/context.tsx";
import { BrowserRouter } from "./browser-router.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import type { IslandPage } from "./island.tsx";
import { Screen } from "./screen.tsx";

/**
 * Renders the island of a page: it takes over the served form, unless that goes on as it is, or takes the place of the
 * thanks, which depend on what only the browser knows.
 */
export function mount(container: HTMLElement): void {
  const page = container.dataset.island as IslandPage;
  const suggestedReading = document.querySelector("[data-suggested-reading]")?.innerHTML ?? "";
  whenShown(() => guarded(deliver));
  if (staysServed(container)) return;
  const island = (
    <StrictMode>
      <SettingsProvider value={readSettings()}>
        <BrowserRouter>
          <ErrorBoundary>
            <Mounted onMounted={() => container.setAttribute("data-mounted", "")}>
              <Screen page={page} suggestedReading={suggestedReading} />
            </Mounted>
          </ErrorBoundary>
        </BrowserRouter>
      </SettingsProvider>
    </StrictMode>
  );
  // At once: what is typed meanwhile would be lost between reading the form and taking it over.
  if (page === "/fragebogen") flushSync(() => hydrateRoot(container, island));
  else createRoot(container).render(island);
}

/** Calls back when the island stands. */
function Mounted({ onMounted, children }: { onMounted: () => void; children: ReactNode }) {
  useEffect(onMounted, [onMounted]);
  return children;
}
