/** A picture as written by the content step. */
export interface PictureSource {
  src: string;
  alt: string;
  width: number;
  height: number;
}

interface Props {
  source: PictureSource;
  className?: string;
  /** Pictures at the top are fetched first, those below when they come near. */
  place: "top" | "below";
}

/**
 * Renders a picture in a frame that reserves its space and pulses until the picture has loaded. A picture that fails is
 * replaced by the default picture or by its alternative text: see `enhancements/picture.ts`.
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
