// The address of this page names an inquiry, and is a secret: what the page says of it goes into the history entry instead,
// before any other script runs.
{
  const privatePage = document.querySelector("[data-private-page]")?.getAttribute("href");
  const reference = document.querySelector(".thanks-number")?.textContent;
  if (privatePage) {
    const state = { posted: true, reference, privatePage };
    history.replaceState({ usr: state, key: "default", idx: 0 }, "", location.pathname);
  }
}
