// Leaves the articles and questions that hold every word of the address; those that have most of them in their titles come
// first. The page itself is the index, and lists everything without a script.
{
  const SMALL = /^(am|auf|bei|das|der|die|ein|eine|fur|gegen|im|in|ist|mit|und|von|was|wer|wie|zu)$/;
  const asked = (new URLSearchParams(location.search).get("q") ?? "").trim().slice(0, 100);
  /** However it is typed: "Vergrämen" and "vergraemen" are one word. */
  const plain = (/** @type {string | null} */ text) =>
    `${text}`
      .toLowerCase()
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      .replaceAll("ß", "ss")
      .replace(/([aou])e/g, "$1");
  // Without the ends of words, which differ: "kostet" and "Kosten".
  const words = plain(asked).match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  const stems = words.filter((word) => !SMALL.test(word)).map((word) => word.slice(0, Math.max(4, word.length - 2)));
  const list = document.querySelector("main ul");
  const status = document.querySelector("main [role=status]");
  const field = document.querySelector("input[name=q]");
  if (asked && list && status && field) {
    field.setAttribute("value", asked);
    const hits = (/** @type {string | null} */ text) => stems.filter((stem) => plain(text).includes(stem)).length;
    const found = [...list.querySelectorAll("li")]
      .filter((entry) => stems.length > 0 && hits(`${entry.textContent} ${entry.dataset.words}`) === stems.length)
      .map((entry) => ({ entry, rank: hits(entry.querySelector("a")?.textContent ?? "") }))
      .sort((one, other) => other.rank - one.rank);
    list.replaceChildren(...found.map(({ entry }) => entry));
    status.textContent =
      found.length > 0
        ? `${found.length} Treffer zu „${asked}“`
        : `Zu „${asked}“ haben wir nichts gefunden. Vielleicht steht es in einem der Artikel.`;
  }
}
