import { showToast } from "../toast/store.ts";
import type { Enhancement } from "./enhancement.ts";

/** Milliseconds that the simulated sending takes (spec, section 9). */
const SENDING_MS = 1_000;

/** Answers the newsletter's form. Nothing is sent, and the answer says so. */
export const newsletter: Enhancement = (form) => {
  const button = form.querySelector("button");
  if (!(form instanceof HTMLFormElement) || !button) return undefined;
  const label = button.textContent;
  let timer: ReturnType<typeof setTimeout>;

  const finish = () => {
    button.disabled = false;
    button.textContent = label;
    form.reset();
    // The button lost the focus when it was disabled.
    if (document.activeElement === document.body) button.focus({ preventScroll: true });
    showToast({
      tone: "info",
      title: "Vielen Dank für Ihr Interesse",
      description: "Der Newsletter ist noch in Vorbereitung. Ihre E-Mail-Adresse wurde nicht gespeichert.",
      group: "newsletter",
    });
  };

  const send = (event: SubmitEvent) => {
    event.preventDefault();
    button.disabled = true;
    button.textContent = "Wird angemeldet...";
    timer = setTimeout(finish, SENDING_MS);
  };

  form.addEventListener("submit", send);
  return () => {
    clearTimeout(timer);
    form.removeEventListener("submit", send);
  };
};
