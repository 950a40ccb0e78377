/** An empty address is that of the open page. */
const MARKUP = `<div class="layout-wrap error-page" role="alert">
<h1 lang="en">Unexpected Application Error!</h1>
<p class="error-page-message"></p>
<p class="layout-lead">Diese Seite konnte nicht angezeigt werden. Ihre Eingaben im Fragebogen sind noch da.</p>
<p class="actions"><a class="button" href="">Seite neu laden</a><a class="button-quiet" href="/">Zur Startseite</a></p>
</div>`;

/** Says in an element that a part of the page cannot be shown that needs code. The message is the error's own. */
export function showError(element: HTMLElement, message: string): void {
  element.innerHTML = MARKUP;
  const text = element.querySelector(".error-page-message");
  if (text) text.textContent = message;
}

/** Shows the whole served form, which works without code, rather than keep visitors waiting for a script. */
export function giveUp(container: HTMLElement, message: string): void {
  container.dataset.failed = message;
  const form = container.closest<HTMLElement>("[data-mode]");
  if (form?.dataset.mode === "step") form.dataset.mode = "whole";
}
