import { findDrawing } from "./drawings.ts";

/**
 * The file of the drawings further down on a page. It is fetched beside the page's text, once, so that the
 * text is there sooner. The build puts its hash into the address.
 */
const FILE = "/assets/drawings.svg";

interface UseProps {
  /** A drawing by its path in this folder, or a map. */
  name: string;
}

/** Shows a part of the file, in the colours and strokes of its surroundings. */
export function UseSprite({ name }: UseProps) {
  return <use href={`${FILE}#${spriteId(name)}`} />;
}

interface DrawingProps extends UseProps {
  className?: string;
  /** Fills its box; what does not fit is cropped, on the left first. */
  isCropped?: boolean;
}

/** Renders a drawing of the file. It is decoration. */
export function SpriteDrawing({ name, className, isCropped }: DrawingProps) {
  const { width, height } = findDrawing(name);
  return (
    <svg
      className={className ? `drawing ${className}` : "drawing"}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      preserveAspectRatio={isCropped ? "xMaxYMid slice" : undefined}
      aria-hidden
    >
      <UseSprite name={name} />
    </svg>
  );
}

/** Returns the id of a part of the file. */
export function spriteId(name: string): string {
  return name.replaceAll("/", "-");
}
