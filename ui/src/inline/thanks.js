// Shows the result of an inquiry that the questionnaire's script has sent, or tried to, and counts down to the home page. It
// is inline, so it always arrives with the page. The address's parameters move into the history entry: the token of a
// private page is a secret, which scripts of others must not see (`analytics/tags/tags.ts`).
{
  const COUNTDOWN_SECONDS = 5;
  const QUEUE = "inquiry-outbox:";
  const PAGE = "inquiry-page:";
  const root = /** @type {HTMLElement} */ (document.querySelector(".thanks"));
  const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (root.querySelector(selector));
  const texts = find(".thanks-texts");

  const read = (/** @type {"localStorage" | "sessionStorage"} */ storage, /** @type {string} */ name) => {
    try {
      return window[storage].getItem(name);
    } catch {
      return null; // switched off
    }
  };

  /** Puts what is known of the inquiry into the address, and the page's message about it into the history entry. */
  const takeArrival = () => {
    const query = Object.fromEntries(new URLSearchParams(location.search));
    const page = find("[data-slot=page]")?.getAttribute("href"); // of an inquiry that the address names by a token
    if (!page && !query.status) return history.state?.thanks;
    const reference = page ? find("[data-slot=reference]").textContent : query.reference;
    const { status = "stored", key = reference, firms } = query;
    const thanks = { status, key, reference, firms, page: "", lead: find("[data-slot=lead]").textContent };
    if (page) {
      try {
        sessionStorage.removeItem("questionnaire"); // a draft of what was sent
        sessionStorage.setItem(PAGE + key, page);
      } catch {
        thanks.page = page; // switched off, and with it everything that needs consent
      }
      if (root.dataset.firmsAsked === "true") thanks.firms = "asked";
    }
    if (status === "pending") root.dataset.justFailed = ""; // so that `questionnaire/delivery/delivery.ts` keeps its pause
    history.replaceState({ thanks }, "", location.pathname);
    return thanks;
  };

  /** Shows a message whose parts are left out where nothing is known for them. */
  const say = (/** @type {string} */ status, /** @type {Record<string, string | null | undefined>} */ slots) => {
    const template = /** @type {HTMLTemplateElement} */ (document.getElementById(`thanks-${status}`));
    const content = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
    for (const slot of content.querySelectorAll("[data-slot]")) {
      const value = slots[slot.getAttribute("data-slot") ?? ""];
      if (!value) (slot.closest("[data-part]") ?? slot).remove();
      else if (slot instanceof HTMLAnchorElement) slot.href = value;
      else slot.textContent = value;
    }
    texts.replaceChildren(content);
    find(".thanks-message").dataset.status = status;
    find(".thanks-next").hidden = status !== "stored" && status !== "queued";
  };

  const isSubmitted = new URLSearchParams(location.search).has("submitted");
  const arrival = takeArrival();

  const show = () => {
    if (arrival?.status === "stored") {
      const page = arrival.page || read("sessionStorage", PAGE + arrival.key);
      say("stored", { ...arrival, page: /^\/anfrage\/[\w-]{22,128}$/.test(page ?? "") ? page : null });
      if (arrival.firms !== "asked") {
        const steps = /** @type {HTMLTemplateElement} */ (document.getElementById("thanks-steps"));
        find(".what-follows").replaceWith(steps.content.cloneNode(true));
      }
    } else if (arrival?.status === "pending") {
      let entry;
      try {
        entry = JSON.parse(read("localStorage", QUEUE + arrival.key) ?? "null");
      } catch {
        entry = null;
      }
      const { kind, reference, firmsAsked, message } = entry?.result ?? {};
      if (kind === "stored") {
        // Only the server knows what it may promise.
        const query = new URLSearchParams({ status: "stored", key: arrival.key });
        if (reference) query.set("reference", reference);
        if (firmsAsked === true) query.set("firms", "asked");
        location.replace(`?${query}`);
      } else say(kind ?? (entry ? "queued" : "unknown"), { reason: message });
    } else if (arrival) say("failed", {});
  };

  /** Leads to the home page in five seconds, unless the visitor does anything before (WCAG 2.2.1). */
  const countDown = () => {
    const countdown = find(".thanks-countdown");
    const [button, text, status] = /** @type {HTMLCollectionOf<HTMLElement>} */ (countdown.children);
    if (!text || !button || !status) return;
    const SIGNS = ["pointerdown", "touchstart", "wheel", "keydown", "scroll", "focusin"];
    let left = COUNTDOWN_SECONDS;
    const tell = () => {
      text.textContent = `Sie werden in ${left === 1 ? "1 Sekunde" : `${left} Sekunden`} zur Startseite weitergeleitet.`;
    };
    const stop = () => {
      clearInterval(timer);
      for (const sign of SIGNS) removeEventListener(sign, stop, true);
      text.textContent = "";
      status.textContent = "Die Weiterleitung ist angehalten. Sie können hier bleiben.";
    };
    const timer = setInterval(() => {
      left -= 1;
      tell();
      if (left > 0) return;
      clearInterval(timer);
      // The link goes along, and the way back to this page stays.
      const href = find("[data-slot=page]")?.getAttribute("href");
      const toast = {
        tone: "info",
        title: "Ihre Anfrage wurde übermittelt",
        description: find(".thanks-reference")?.textContent,
        link: href ? { href, label: "Ihre Anfrage ansehen" } : undefined,
      };
      dispatchEvent(new CustomEvent("toast-request", { detail: { show: toast } }));
      location.assign("/");
    }, 1000);
    tell();
    button.addEventListener("click", () => {
      stop();
      find(".thanks-home").focus({ preventScroll: true });
      button.style.visibility = "hidden"; // the content below stays in place
    });
    (find("[data-slot=page]") ?? texts.lastElementChild).after(countdown);
    countdown.hidden = false;
    for (const sign of SIGNS) addEventListener(sign, stop, { capture: true, passive: true });
    addEventListener("pageshow", ({ persisted }) => persisted && stop());
  };

  show();
  if (isSubmitted) countDown();
  if (arrival?.status === "pending") {
    addEventListener("inquiry-settled", show);
    addEventListener("storage", ({ key }) => key?.startsWith(QUEUE) && show());
    addEventListener("pageshow", ({ persisted }) => persisted && show());
  }
  root.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("[data-again]")) location.reload(); // a page that opens sends what waits
  });
}
