// The plain form is for everybody whose browser runs no scripts. Here scripts run, so one step of it is shown, in the place
// and with the look of the form that is on its way. If that does not come in time, the whole plain form is shown.
{
  const WAIT_MS = 6000;
  const form = document.currentScript?.parentElement;
  if (form?.dataset.mode === "whole") {
    const { dataset } = form;
    [, dataset.step = "0"] = /[?&]step=([0-4])(?:&|$)/.exec(location.search) ?? [];
    dataset.mode = "step";
    const wait = () =>
      setTimeout(() => {
        dataset.mode = "whole";
      }, WAIT_MS);
    if ("prerendering" in document && document.prerendering)
      document.addEventListener("prerenderingchange", wait, { once: true });
    else wait();
    addEventListener(
      "error",
      ({ target }) => {
        if (target instanceof HTMLScriptElement) dataset.mode = "whole";
      },
      true,
    );
    // What is done meanwhile, the other form goes on with.
    form.addEventListener("submit", (event) => {
      // The whole form is sent by the browser: the other one comes too late.
      dataset.intent = dataset.mode === "step" ? "on" : "sent";
      if (dataset.mode === "step") event.preventDefault();
    });
    form.addEventListener("click", ({ target, detail }) => {
      if (dataset.mode !== "step" || !(target instanceof Element)) return;
      if (target.closest("[data-back]")) dataset.intent = "back";
      // A pointer chooses a building and goes on, arrow keys only choose.
      if (detail > 0 && target.closest(".choice-building")) dataset.intent = "on";
    });
  }
}
