const STEPS = [
  {
    title: "Wir leiten Ihre Anfrage weiter",
    text: "Bis zu drei geprüfte Fachbetriebe, die zu Gebäude und Ort passen, erhalten Ihre Kontaktdaten.",
  },
  {
    title: "Die Betriebe melden sich",
    text: "Mit Fragen, mit einem Termin zur Besichtigung oder gleich mit einem Angebot.",
  },
  {
    title: "Sie entscheiden in Ruhe",
    text: "Sie nehmen ein Angebot an oder keines. Verpflichtet sind Sie zu nichts.",
  },
];

/** Lists what happens after an inquiry was sent. */
export function WhatFollows() {
  return (
    <ol className="what-follows">
      {STEPS.map(({ title, text }) => (
        <li key={title}>
          <strong>{title}</strong>
          <span>{text}</span>
        </li>
      ))}
    </ol>
  );
}
