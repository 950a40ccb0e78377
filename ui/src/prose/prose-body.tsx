import bodies from "../../generated/bodies.js";
import { proseComponents } from "./components.tsx";

/** A text of `content/`. Only pages that are rendered at build time have one. */
export function ProseBody({ id }: { id: string }) {
  const Body = bodies[id];
  if (!Body) throw new Error(`No text has the id ${id}.`);
  return (
    <div className="prose">
      <Body components={proseComponents} />
    </div>
  );
}
