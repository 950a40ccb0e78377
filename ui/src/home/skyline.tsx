const STEPPED = "v-52h12v-12h12v-12h28v12h12v12h12v52";
const LOW_STEPPED = "v-40h10v-10h10v-10h24v10h10v10h10v40";
const GABLE = "v-60l34-24 34 24v60";
const WAREHOUSE = "v-44l10-18h70l10 18v44";
const SPIRE = "v-48h16l12-62 12 62h16v48";
const CRANE = "l9-48h30l9 48m-39-48v-18h30v18m-15-18l66-38v34m-66-4l-34 8 34-8v-22l66-8m33 104";
const GAP = "h26";

/** From left to right; more than a wide screen shows. */
const ROW = [STEPPED, GABLE, WAREHOUSE, LOW_STEPPED, SPIRE, STEPPED, WAREHOUSE, GABLE, CRANE]
  .concat([LOW_STEPPED, GABLE, STEPPED, SPIRE, LOW_STEPPED, WAREHOUSE, STEPPED, GABLE]);

/** The waterfront in one line. Decoration only. */
export function Skyline() {
  return (
    <svg className="skyline" viewBox="0 0 1760 120" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      <path d={`M0 119h40${ROW.join(GAP)}h140`} />
    </svg>
  );
}
