/** The best rating there is (articles rate out of 10). */
const BEST = 10;

/** Side of a brick of the scale and the distance to the next, in grid units. */
const BRICK = 16;
const STEP = 20;

const decimal = new Intl.NumberFormat("de-DE", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** A rating as text and as a course of ten bricks, of which so many are laid. */
export function Rating({ value }: { value: number }) {
  return (
    <p className="rating">
      <span className="visually-hidden">Bewertung: </span>
      <span className="rating-value">{decimal.format(value)}</span> <span className="rating-best">von {BEST}</span>
      <svg className="rating-scale" viewBox={`-1 -1 ${BEST * STEP - 2} ${BRICK / 2 + 4}`} aria-hidden="true">
        {Array.from({ length: BEST }, (_, index) => (
          <Brick key={index} x={index * STEP} share={Math.min(1, Math.max(0, value - index))} />
        ))}
      </svg>
    </p>
  );
}

function Brick({ x, share }: { x: number; share: number }) {
  const height = BRICK / 2 + 2;
  return (
    <>
      <rect className="rating-place" x={x} width={BRICK} height={height} />
      {share > 0 && <rect className="rating-brick" x={x} width={Number((BRICK * share).toFixed(2))} height={height} />}
    </>
  );
}
