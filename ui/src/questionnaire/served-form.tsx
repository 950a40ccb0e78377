import { FormPanels } from "./form-panels.tsx";
import { SERVED_VIEW } from "./served-view.tsx";
import { FIRST_STEP, STEPS } from "./steps.ts";

const ignore = () => {};

/** The form as it is served: all questions at once, which the server fills, and which React takes over. */
export function ServedForm() {
  return (
    <FormPanels
      steps={STEPS}
      current={FIRST_STEP}
      view={SERVED_VIEW}
      isVisible
      isSending={false}
      onChange={ignore}
      onChosen={ignore}
      onBack={ignore}
      onSubmit={ignore}
    />
  );
}
