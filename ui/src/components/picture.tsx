/** A picture as the content step wrote it. */
export interface PictureSource {
  src: string;
  alt: string;
  width: number;
  height: number;
}

interface Props {
  source: PictureSource;
  className?: string;
  /** Where it stands: one that is seen at once is fetched first, one further down when it comes near. */
  place: "top" | "below";
}

/**
 * A picture in a frame that keeps its place: it pulses until the picture is there; one that does not load gives way to
 * the default picture, or to its own text (spec, section 4). What happens when is `enhancements/picture.ts`.
 */
export function Picture({ source, className, place }: Props) {
  const isTop = place === "top";
  return (
    <span className={className ? `picture ${className}` : "picture"} data-enhancement="picture">
      <img
        {...source}
        alt={source.alt}
        loading={isTop ? "eager" : "lazy"}
        decoding={isTop ? "sync" : "async"}
        fetchPriority={isTop ? "high" : "auto"}
      />
    </span>
  );
}
