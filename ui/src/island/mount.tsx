import { type ReactNode, StrictMode, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { whenShown } from "../browser/shown.ts";
import { deliver } from "../delivery/deliver.ts";
import { staysPlain } from "../questionnaire/plain/adopt.ts";
import { readSettings } from "../settings/client.ts";
import { SettingsProvider } from "../settings/context.tsx";
import { BrowserRouter } from "./browser-router.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import type { IslandPage } from "./island.tsx";
import { Screen } from "./screen.tsx";

/** Renders the island of a page in place of what the page was served with, unless that is a form which goes on as it is. */
export function mount(container: HTMLElement): void {
  const page = container.dataset.island as IslandPage;
  const suggestedReading = document.querySelector("[data-suggested-reading]")?.innerHTML ?? "";
  whenShown(deliver);
  if (staysPlain(container)) return;
  createRoot(container).render(
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
    </StrictMode>,
  );
}

/** Calls back when the island stands. */
function Mounted({ onMounted, children }: { onMounted: () => void; children: ReactNode }) {
  useEffect(onMounted, [onMounted]);
  return children;
}
