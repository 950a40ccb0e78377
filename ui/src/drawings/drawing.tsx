/** A drawing of this folder, as the build read it: its size in grid units, which are pixels at its usual size. */
export interface DrawingSource {
  width: number;
  height: number;
  body: string;
}

interface Props {
  source: DrawingSource;
  className?: string;
  /** What it shows, where it says something that the text beside it does not. */
  title?: string;
  /** Fills the box that the style sheet gives it; what does not fit is cropped, on the left first. */
  isCropped?: boolean;
}

/** A drawing in the page, in the colours of `styles/drawings.css`. Without a title it is decoration. */
export function Drawing({ source, className, title, isCropped }: Props) {
  const { width, height, body } = source;
  const meaning = title ? { role: "img", "aria-label": title } : { "aria-hidden": true };
  return (
    <svg
      className={className ? `drawing ${className}` : "drawing"}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      preserveAspectRatio={isCropped ? "xMaxYMid slice" : undefined}
      {...meaning}
      dangerouslySetInnerHTML={{ __html: body }}
    />
  );
}
