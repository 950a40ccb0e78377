import type { Report } from "../inquiry/report.ts";

/** No browser fills in a field of this name by itself, but programs do that fill in whatever they find. */
const TRAP = "homepage";

/** A field that nobody sees, hears or reaches by keyboard. What fills it in is no visitor. */
export function Trap() {
  return (
    <div className="visually-hidden" aria-hidden="true">
      <label>
        Bitte leer lassen
        <input type="text" name={TRAP} tabIndex={-1} autoComplete="off" defaultValue="" />
      </label>
    </div>
  );
}

/** How a form with a trap was filled in, up to now. */
export function reportOf(form: HTMLFormElement | null): Report {
  const trap = form?.elements.namedItem(TRAP);
  return {
    fillTime: Math.round(performance.now()),
    isTrapFilled: trap instanceof HTMLInputElement && trap.value !== "",
  };
}
