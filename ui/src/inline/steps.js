// The whole form is served. Where scripts run, one question of it is shown at a time: by this script, until React has taken
// the form over. It moves on from valid answers. Invalid ones are left to React, which says why. If that does not load,
// pressing again moves on regardless, and in the end the server says what is wrong.
{
  const FADE_MS = 300;
  const LAST = 4;
  const root = document.currentScript?.parentElement;
  if (root?.dataset.mode === "whole") {
    const { dataset } = root;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const isOn = () => dataset.mode === "step";
    const step = () => Number(/[?&]step=([0-4])(?:&|$)/.exec(location.search)?.[1] ?? 0);
    const show = () => {
      if (isOn()) dataset.step = String(step());
    };
    const isRight = () => {
      const questions = step() === LAST ? root : root.querySelector(`[data-step="${step()}"]`);
      const isChosen = root.querySelector("[name=propertyType]:is(:checked, [type=hidden])");
      return !questions?.querySelector("input:invalid") && (isChosen || (step() > 0 && step() < LAST));
    };
    const go = (/** @type {number} */ next) => {
      const { state } = history;
      if (next > step()) {
        const { depth = 0 } = state ?? {};
        history.replaceState({ ...state, depth, isLinkRead: true }, "");
        history.pushState({ depth: depth + 1, at: Date.now(), previous: step() }, "", `?step=${next}`);
      } else if (state?.previous === next) return history.back();
      else history.replaceState(state, "", `?step=${next}`);
      show();
      scrollTo({ top: 0, behavior: "instant" });
      const question = root.querySelector(`[data-step="${next}"] fieldset`);
      if (question instanceof HTMLElement) question.focus({ preventScroll: true });
    };
    const leave = (/** @type {string} */ intent, /** @type {number} */ next) => {
      dataset.intent = intent;
      timer = setTimeout(() => {
        timer = undefined;
        if (!isOn()) return;
        delete dataset.intent;
        go(next);
      }, FADE_MS);
    };
    /** Whether this tab has sent the form's contents: nothing of it is left. */
    const isSent = () => {
      try {
        const kept = Object.keys({ ...localStorage, ...sessionStorage });
        return !kept.includes("questionnaire") && kept.some((name) => name.startsWith("inquiry-"));
      } catch {
        return true; // nothing is ever kept
      }
    };
    // Coming back to a step of it starts again, at the first one.
    const { depth } = history.state ?? {};
    if (depth !== undefined && isSent()) {
      const begin = () => history.replaceState(null, "", location.pathname);
      addEventListener("popstate", begin, { once: true });
      if (depth > 0) history.go(-depth);
      else begin();
    }
    dataset.mode = "step";
    show();
    addEventListener("popstate", show);
    // Scripts of others, which blockers stop, are no modules.
    const fail = (/** @type {Event} */ { target }) => {
      if (isOn() && target instanceof HTMLScriptElement && target.type === "module") dataset.mode = "whole";
    };
    addEventListener("error", fail, true);
    root.addEventListener("submit", (event) => {
      if (dataset.mode === "live") return;
      const mayGo = isRight() || (dataset.intent === "on" && !timer);
      if (!isOn() || (mayGo && step() === LAST)) {
        dataset.intent = "sent"; // by the browser: React comes too late
        return;
      }
      event.preventDefault();
      if (mayGo && !timer) leave("on", step() + 1);
      dataset.intent = "on";
    });
    root.addEventListener("click", ({ target, detail }) => {
      if (!isOn() || timer || !(target instanceof Element)) return;
      if (target.closest("[data-back]")) leave("back", step() - 1);
      // A pointer chooses a building and moves on, arrow keys only choose.
      else if (detail > 0 && target.closest(".choice-building")) leave("on", 1);
    });
  }
}
