// The address of this page names an inquiry, and is a secret: what the page says of it goes where this tab finds it again,
// before any other script runs. Those of others must not (`tags/tags.ts`): the browser tells them the former address.
{
  const privatePage = document.querySelector("[data-private-page]")?.getAttribute("href");
  const reference = document.querySelector(".thanks-number")?.textContent;
  if (privatePage && reference) {
    const state = { posted: true, reference };
    try {
      sessionStorage.removeItem("questionnaire"); // a draft of what was sent
      sessionStorage.setItem(`inquiry-page:${reference}`, privatePage);
    } catch {
      Object.assign(state, { privatePage }); // switched off, and with it everything that needs consent
    }
    history.replaceState({ usr: state, key: "default", idx: 0 }, "", location.pathname);
  }
}
