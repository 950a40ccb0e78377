import { Branch, If, slot } from "../template/template.tsx";
import { FIELDS } from "./fields.ts";
import { FormPanels } from "./form-panels.tsx";
import type { FormView } from "./form-view.ts";
import type { StepProps } from "./question.tsx";
import { FIRST_STEP, STEPS } from "./steps.ts";

const ignore = () => {};

/** The form as served: all questions at once, which the server fills in and React takes over. */
export function ServedForm() {
  return (
    <FormPanels
      steps={STEPS}
      current={FIRST_STEP}
      {...SERVED}
      isVisible
      isSending={false}
      onBack={ignore}
      onSubmit={ignore}
    />
  );
}

/** Leaves answers and errors to the server, which escapes them for their context. */
const SERVED_VIEW: FormView = {
  answers: null,
  text: (name) => slot(`form.${FIELDS[name].slot}`),
  withChoice: (name, id, render) => {
    // Names in the template language cannot contain hyphens.
    const test = `form.${name === "propertyType" ? "property" : name}.${id.replaceAll("-", "_")}`;
    return <Branch key={id} test={test} render={render} />;
  },
  withError: (name, render) => {
    const error = `form.errors.${FIELDS[name].slot}`;
    return <Branch test={error} render={(isWrong) => render(isWrong ? slot(error) : undefined)} />;
  },
  withBareType: (render) => <If test="form.bare_type">{render(slot("form.bare_type"), slot("form.bare_name"))}</If>,
};

/** The props that every question needs to be rendered as served. */
export const SERVED: StepProps = {
  view: SERVED_VIEW,
  isLocked: false,
  onChange: ignore,
  onChosen: ignore,
  onOpen: ignore,
};
