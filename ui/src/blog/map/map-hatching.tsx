interface Props {
  part: number;
  /** The frame that the lines fill; what is outside the part is clipped off. */
  width: number;
  height: number;
  /** The id of a clip path with the shape of the part, if it is not the whole frame. */
  clip?: string;
}

/**
 * Draws the lines of a part's pattern over a frame, so that the map can be read without colours. A `<pattern>` in a file
 * of drawings would not know the colours of the page that shows it.
 */
export function MapHatching({ part, width, height, clip }: Props) {
  return (
    <g className={`map-hatch map-hatch-${part}`} clipPath={clip && `url(#${clip})`}>
      {linesOf(part, width, height).map(({ d, dashes }) => (
        <path key={d} d={d} strokeDasharray={dashes} />
      ))}
    </g>
  );
}

interface Lines {
  readonly d: string;
  readonly dashes?: string;
}

/** Returns the lines of a pattern: bricks, none, dots, or slanted lines. */
function linesOf(part: number, width: number, height: number): Lines[] {
  const row = (x: number) => (y: number) => `M${x} ${y}H${width}`;
  const column = (y: number) => (x: number) => `M${x} ${y}V${height}`;
  switch (part) {
    case 1:
      return [
        { d: steps(0.5, height, 6).map(row(0)).join("") },
        { d: steps(3, width, 14).map(column(0.5)).join(""), dashes: "6 6" },
        { d: steps(10, width, 14).map(column(6.5)).join(""), dashes: "6 6" },
      ];
    case 3:
      // Dashes without a length, which round ends make dots.
      return [
        { d: steps(3, height, 12).map(row(3)).join(""), dashes: "0 12" },
        { d: steps(9, height, 12).map(row(9)).join(""), dashes: "0 12" },
      ];
    case 4:
      return [
        {
          d: steps(9, width + height, 9)
            .map((x) => `M${x} 0L${x - height} ${height}`)
            .join(""),
        },
      ];
    default:
      return [];
  }
}

function steps(first: number, end: number, step: number): number[] {
  return Array.from({ length: Math.ceil((end - first) / step) }, (_, index) => first + index * step);
}
