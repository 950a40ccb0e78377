/** A drawing of this folder as read by the build. Its size is in grid units, which are pixels at the default text size. */
export interface DrawingSource {
  width: number;
  height: number;
  body: string;
}

/** Grid units per rem, so that drawings grow with the visitor's text size. */
const REM = 16;

interface Props {
  source: DrawingSource;
  className?: string;
  /** What it shows, unless the text beside it says so. */
  title?: string;
}

/** Renders a drawing in the colours of `styles/drawings.css`. Without a title it is decorative. */
export function Drawing({ source, className, title }: Props) {
  const { width, height, body } = source;
  const meaning = title ? { role: "img", "aria-label": title } : { "aria-hidden": true };
  return (
    <svg
      className={className ? `drawing ${className}` : "drawing"}
      viewBox={`0 0 ${width} ${height}`}
      width={`${width / REM}rem`}
      height={`${height / REM}rem`}
      {...meaning}
      dangerouslySetInnerHTML={{ __html: body }}
    />
  );
}
