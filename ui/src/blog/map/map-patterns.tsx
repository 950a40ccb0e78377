/** Defines the pattern of each part, so that the map can be read without colours. A page needs one set. */
export function MapPatterns() {
  return (
    <defs>
      <Pattern part={1} width={14} height={12} lines="M0 .5h14M0 6.5h14M3 .5v6M10 6.5v6" />
      <Pattern part={2} width={16} height={16} lines="" />
      <Pattern part={3} width={12} height={12} lines="M3 3h.1M9 9h.1" />
      <Pattern part={4} width={9} height={9} lines="M-1 10L10-1M-2 2L2-2M7 11L11 7" />
    </defs>
  );
}

/** Returns the `fill` of a part. In a style sheet the address would be relative to the sheet. */
export function partFill(part: number): string {
  return `url(#map-part-${part})`;
}

interface Props {
  part: number;
  width: number;
  height: number;
  lines: string;
}

function Pattern({ part, width, height, lines }: Props) {
  return (
    <pattern id={`map-part-${part}`} width={width} height={height} patternUnits="userSpaceOnUse">
      <rect className={`map-tone map-tone-${part}`} width={width} height={height} />
      <path className={`map-hatch map-hatch-${part}`} d={lines} />
    </pattern>
  );
}
