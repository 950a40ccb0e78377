/** A star of 20 by 20 units around its centre. */
export const STAR = "M0-9.5 2.7-3.4 9.3-2.8 4.3 1.5 5.8 8-0 4.6-5.8 8-4.3 1.5-9.3-2.8-2.7-3.4Z";
const STARS = [1, 2, 3, 4, 5];

interface Props {
  rating: number | string;
  /** Returns a star's class: `stars-full` up to the rating. */
  classOf: (star: number) => string | undefined;
}

/** Shows a rating from 1 to 5, as a drawing and in words. */
export function Stars({ rating, classOf }: Props) {
  return (
    <p className="stars cluster hint">
      <svg viewBox="0 0 120 24" width="120" height="24" aria-hidden="true">
        {STARS.map((star) => (
          <path key={star} className={classOf(star)} d={STAR} transform={`translate(${star * 24 - 12} 12.5)`} />
        ))}
      </svg>
      <span>
        {rating} von {STARS.length} Sternen
      </span>
    </p>
  );
}
