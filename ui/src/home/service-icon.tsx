/** One drawing for each service, in the same stroke as the buildings. */
const DRAWINGS: Record<string, string> = {
  spikes: "M3 27h26M7 27V9M12 27 9 12M16 27V7M20 27l3-15M25 27V9",
  net: "M4 4h24v24H4zM4 12h24M4 20h24M12 4v24M20 4v24",
  wire: "M3 26h26M6 26V10M26 26V10M6 12c8 3 12 3 20 0M6 18c8 3 12 3 20 0",
  bolt: "M18 3 7 18h8l-2 11 12-16h-8l1-10z",
  drop: "M16 4c6 8 9 12 9 16a9 9 0 0 1-18 0c0-4 3-8 9-16zM12 20a4 4 0 0 0 4 5",
  loupe: "M13 22a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM20 20l9 9",
  shield: "M16 3l11 4v8c0 7-5 11-11 14C10 26 5 22 5 15V7l11-4zM11 15l4 4 7-8",
};

export function ServiceIcon({ name }: { name: string }) {
  return (
    <svg className="icon service-icon" viewBox="0 0 32 32" aria-hidden="true">
      <path d={DRAWINGS[name]} />
    </svg>
  );
}
