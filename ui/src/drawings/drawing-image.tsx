import { findDrawing, findDrawingFile } from "./drawings.ts";

/** Shows a decorative drawing that is fetched when it comes near, so that the text arrives sooner. */
export function DrawingImage({ name, className }: { readonly name: string; readonly className?: string }) {
  const { width, height } = findDrawing(name);
  return <img className={className} src={findDrawingFile(name)} width={width} height={height} alt="" loading="lazy" />;
}
