/** One drawing for each building, all in one stroke on a 48-unit grid. */
const DRAWINGS: Record<string, string> = {
  "residential-house": "M6 23 24 8l18 15M11 20v20h26V20M20 40V29h8v11M32 14V9h4v8",
  "residential-apartment": "M11 41V7h26v34M5 41h38M18 14h3M27 14h3M18 22h3M27 22h3M16 30h16v5H16zM20 30v5M24 30v5M28 30v5",
  "commercial-office": "M7 41V19h13M20 41V7h21v34M4 41h40M26 14h3M33 14h3M26 21h3M33 21h3M26 28h3M33 28h3M12 26h3M12 33h3M28 41v-6h5v6",
  "commercial-retail": "M8 9h32l4 10H4L8 9zM4 19c0 6 10 6 10 0 0 6 10 6 10 0 0 6 10 6 10 0 0 6 10 6 10 0M8 25v15h32V25M14 40V30h8v10M28 30h7v6h-7z",
  "commercial-restaurant": "M6 20c2-8 9-12 18-12s16 4 18 12zM24 8V5M24 20v20M15 40h18M10 27v13M10 33h6v7M38 27v13M38 33h-6v7",
  industrial: "M5 41V24l10-7v7l10-7v7l10-7M5 41h38V41M43 41V17M35 17V7h8v10M12 31h4M21 31h4M30 31h4M20 41v-4h6v4",
};

export function PropertyIcon({ id }: { id: string }) {
  return (
    <svg className="icon tile-icon" viewBox="0 0 48 48" aria-hidden="true">
      <path d={DRAWINGS[id]} />
    </svg>
  );
}
