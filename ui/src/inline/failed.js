// Marks a page whose own script does not come or cannot run, so that style sheets hide what does nothing without it.
addEventListener(
  "error",
  ({ target }) => {
    const isOwn = target instanceof HTMLScriptElement ? target.type === "module" : target === window;
    if (isOwn) document.documentElement.dataset.failed = "";
  },
  true,
);
