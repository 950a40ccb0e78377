import { readSettings } from "../template/site-settings.ts";
import { showToast, type ToastContent } from "./toast/store.ts";

const NEWSLETTER_URL = "/rest/v1/newsletter";

/** The time limit of a request in milliseconds, as in the questionnaire. */
const TIMEOUT_MS = 15_000;

/** The duration of simulated sending in milliseconds. */
const SENDING_MS = 1_000;

/** Handles the newsletter's form. If the server sends no mails, nothing is sent, and the answer says so. */
export function newsletter(form: HTMLElement): void {
  const button = form.querySelector("button");
  const field = form.querySelector("input");
  if (!(form instanceof HTMLFormElement) || !button || !field) return;
  const label = button.textContent;

  const finish = (answer: ToastContent) => {
    showToast({ ...answer, group: "newsletter" });
    button.disabled = false;
    button.textContent = label;
    if (answer.tone === "info") form.reset(); // otherwise the address can be sent again
    // The button lost the focus when it was disabled.
    if (document.activeElement === document.body) button.focus({ preventScroll: true });
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    // In some browsers, Enter in the field submits even if the button is disabled.
    if (button.disabled) return;
    button.disabled = true;
    button.textContent = "Wird angemeldet...";
    void (readSettings().newsletter ? subscribe(field.value) : simulate()).then(finish);
  });
}

/** Asks the server to mail a link with which the owner of the address can subscribe. Never throws. */
async function subscribe(email: string): Promise<ToastContent> {
  try {
    const response = await fetch(NEWSLETTER_URL, {
      method: "POST",
      headers: { Accept: "application/json", "Content-Type": "application/json" },
      body: JSON.stringify({ email }),
      credentials: "omit",
      redirect: "error",
      // Leaving the page must not cancel it.
      keepalive: true,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status !== 202) return refusal(await response.json());
  } catch {
    return refusal(null);
  }
  return {
    tone: "info",
    title: "Bitte bestätigen Sie Ihre Anmeldung",
    description:
      "Eine E-Mail mit einem Link ist auf dem Weg zu Ihnen. Erst wenn Sie dort zustimmen, sind Sie angemeldet.",
  };
}

/** Shows the server's German message, but not the text of a proxy's error page. */
function refusal(body: unknown): ToastContent {
  const { code, message } = Object(body) as Record<string, unknown>;
  const isServers = typeof code === "string" && typeof message === "string" && message !== "";
  return {
    tone: "error",
    title: "Sie sind noch nicht angemeldet",
    description: isServers ? message : "Bitte versuchen Sie es später noch einmal.",
  };
}

async function simulate(): Promise<ToastContent> {
  await new Promise((resolve) => setTimeout(resolve, SENDING_MS));
  return {
    tone: "info",
    title: "Vielen Dank für Ihr Interesse",
    description:
      "Sie sind noch nicht angemeldet: Der Newsletter ist in Vorbereitung. Ihre E-Mail-Adresse wurde weder übertragen noch gespeichert.",
  };
}
