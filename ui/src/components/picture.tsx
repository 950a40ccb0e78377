/** A picture as the content step writes it. */
export interface PictureSource {
  src: string;
  alt: string;
  width: number;
  height: number;
}

interface Props {
  source: PictureSource;
  className?: string;
  /** A picture at the top is fetched first, one below when it comes near. */
  place: "top" | "below";
}

/**
 * Renders a picture in a frame that reserves its space and pulses until the picture is loaded. A picture that fails is
 * replaced by the default picture or by its own text: see `enhancements/picture.ts`.
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
