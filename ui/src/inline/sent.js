// The address of this page names an inquiry, and is a secret: it goes into the history entry, before any other script runs.
{
  const { link, reference } = document.currentScript?.dataset ?? {};
  if (link) {
    const state = { posted: true, reference, privatePage: link };
    history.replaceState({ usr: state, key: "default", idx: 0 }, "", location.pathname);
  }
}
