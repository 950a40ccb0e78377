import { afterShown, onReturn } from "../../browser/lifecycle.ts";
import { readSettings } from "../../template/site-settings.ts";
import { CHOICES, hasChosen, onConsentChange, siteTags, storeChoice } from "./cookie-settings.ts";

/** Delay in milliseconds after the page is shown, because its content comes first. */
const DELAY = 1_500;

const SETTINGS_PATH = "/cookie-einstellungen";

/** Names the provider of the script that marketing consent loads. */
const PROVIDER =
  " Mit Marketing misst Google (Google Ireland Limited) den Erfolg unserer Anzeigen und stimmt Werbung auf Sie ab, auch in den USA.";

/** Accepting and rejecting must look the same. */
const markup = (
  provider: string,
) => `<div class="banner" role="dialog" aria-labelledby="banner-title" aria-describedby="banner-text">
<p class="banner-title label" id="banner-title">Ihre Auswahl zum Datenschutz</p>
<p class="banner-text hint" id="banner-text">Was für den Betrieb nötig ist, speichern wir immer. Analyse, Marketing und Präferenzen nur, wenn Sie zustimmen; das können Sie jederzeit ändern. Was zurzeit eingerichtet ist, steht unter „Details anpassen“.${provider} Mehr in der <a href="/datenschutz">Datenschutzerklärung</a>.</p>
<div class="banner-choices">
<button class="button-plain" type="button" data-choice="accepted">Alle akzeptieren</button>
<button class="button-plain" type="button" data-choice="rejected">Ablehnen</button>
</div>
<button class="banner-details" type="button" data-choice="details">Details anpassen</button>
<button class="banner-close button-icon" type="button" data-choice="close" aria-label="Schließen" data-tooltip="Schließen"><svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18"/></svg></button>
</div>`;

/**
 * Asks visitors who have not decided yet. The banner comes first in the page, so that Tab reaches it first, but it does
 * not take the focus. The live region around it, which is part of the page, announces it.
 */
export function startBanner(): void {
  const region = document.querySelector<HTMLElement>("[data-banner]");
  // Not on the page with the detailed settings.
  if (!region || !mustAsk() || window.location.pathname === SETTINGS_PATH) return;
  const closeIfChosen = () => {
    if (hasChosen()) close(region);
  };
  afterShown(DELAY, () => {
    if (!hasChosen()) open(region);
  });
  onConsentChange(closeIfChosen);
  onReturn(closeIfChosen);
}

/** Returns whether something on this site needs consent, or the operator always asks. */
function mustAsk(): boolean {
  return readSettings().tags.banner === "always" || siteTags().length > 0;
}

function open(region: HTMLElement): void {
  region.innerHTML = markup(readSettings().tags.tag_manager === null ? "" : PROVIDER);
  const [banner] = region.children;
  if (!(banner instanceof HTMLElement)) return;
  banner.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") close(region);
  });
  banner.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>("[data-choice]") : null;
    if (button) choose(button.dataset.choice ?? "", region);
  });
  trackHeight(banner);
}

function choose(choice: string, region: HTMLElement): void {
  if (choice === "accepted" || choice === "rejected") storeChoice(CHOICES[choice], choice);
  close(region);
  if (choice === "details") window.location.assign(SETTINGS_PATH);
}

function close(region: HTMLElement): void {
  const hasFocus = region.contains(document.activeElement);
  region.replaceChildren();
  // The focused button has disappeared, and the focus with it.
  if (hasFocus) document.getElementById("inhalt")?.focus({ preventScroll: true });
}

/**
 * Sets `--banner` to the height of the open banner, because the page must scroll clear of it, and the chat button sits
 * above it.
 */
function trackHeight(banner: HTMLElement): void {
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => {
    if (banner.isConnected) {
      style.setProperty("--banner", `${banner.offsetHeight}px`);
    } else {
      observer.disconnect();
      style.removeProperty("--banner");
    }
  });
  observer.observe(banner);
}
