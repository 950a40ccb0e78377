import { readSettings } from "../template/site-settings.ts";
import { showToast, type ToastContent } from "./toast/store.ts";
import { subscribe } from "./subscribe.ts";

/** Milliseconds that the simulated sending takes. */
const SENDING_MS = 1_000;

/** The answer to a submit, and whether the address stays in the field to be sent again. */
interface Answer {
  readonly toast: Pick<ToastContent, "tone" | "title" | "description">;
  readonly keepsAddress: boolean;
}

/** Answers the newsletter's form. Where the server sends no mails, nothing is sent, and the answer says so. */
export function newsletter(form: HTMLElement): void {
  const button = form.querySelector("button");
  const field = form.querySelector("input");
  if (!(form instanceof HTMLFormElement) || !button || !field) return;
  const label = button.textContent;

  const finish = ({ toast, keepsAddress }: Answer) => {
    showToast({ ...toast, group: "newsletter" });
    button.disabled = false;
    button.textContent = label;
    if (!keepsAddress) form.reset();
    // The button lost the focus when it was disabled.
    if (document.activeElement === document.body) button.focus({ preventScroll: true });
  };

  const send = (event: SubmitEvent) => {
    event.preventDefault();
    // Enter in the field submits in spite of a disabled button in some browsers.
    if (button.disabled) return;
    button.disabled = true;
    button.textContent = "Wird angemeldet...";
    void (readSettings().newsletter ? request(field.value) : simulate()).then(finish);
  };

  form.addEventListener("submit", send);
}

async function request(email: string): Promise<Answer> {
  const result = await subscribe(email, window.fetch.bind(window));
  if (result.kind === "refused") {
    return {
      toast: { tone: "error", title: "Sie sind noch nicht angemeldet", description: result.message },
      keepsAddress: true,
    };
  }
  return {
    toast: {
      tone: "info",
      title: "Bitte bestätigen Sie Ihre Anmeldung",
      description:
        "Eine E-Mail mit einem Link ist auf dem Weg zu Ihnen. Erst wenn Sie dort zustimmen, sind Sie angemeldet.",
    },
    keepsAddress: false,
  };
}

function simulate(): Promise<Answer> {
  const answer: Answer = {
    toast: {
      tone: "info",
      title: "Vielen Dank für Ihr Interesse",
      description:
        "Sie sind noch nicht angemeldet: Der Newsletter ist in Vorbereitung. Ihre E-Mail-Adresse wurde weder übertragen noch gespeichert.",
    },
    keepsAddress: false,
  };
  return new Promise((resolve) => setTimeout(() => resolve(answer), SENDING_MS));
}
