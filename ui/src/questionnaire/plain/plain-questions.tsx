import { OTHER, PROPERTY_OPTIONS } from "../../inquiry/options.ts";
import { type ListName, OPTIONS_OF } from "../answers-reducer.ts";
import { Field } from "../field.tsx";
import { OptionBox } from "../option-box.tsx";
import { CONTACT_FIELDS, OTHER_FIELD, POSTAL_CODE_FIELD, QUESTIONS } from "../questions.ts";
import { Tile } from "../tile.tsx";
import { Honeypot } from "../honeypot.tsx";
import { FIELD_IDS } from "./field-ids.ts";
import { PlainQuestion } from "./plain-question.tsx";
import { If } from "../../components/if.tsx";
import { isChosen, slot, WithError } from "./slots.tsx";

export function PropertyQuestion() {
  return (
    <WithError field="property_type">
      {(error) => (
        <PlainQuestion {...QUESTIONS.property} id="gebaeude-frage" error={error} isChoice>
          <If test="form.bare_type">
            <p className="question-hint">
              Vorausgewählt: {slot("form.bare_name")}. Wählen Sie genauer oder gehen Sie weiter.
            </p>
            <input type="hidden" name="propertyType" value={slot("form.bare_type")} />
          </If>
          <div className="choice-buildings">
            {PROPERTY_OPTIONS.map((option, index) => {
              const tile = (chosen: boolean) => (
                <Tile option={option} isChosen={chosen} {...(index === 0 && { inputId: FIELD_IDS.propertyType })} />
              );
              return (
                <If key={option.id} test={isChosen("property", option.id)} otherwise={tile(false)}>
                  {tile(true)}
                </If>
              );
            })}
          </div>
        </PlainQuestion>
      )}
    </WithError>
  );
}

export function PlaceQuestion() {
  return (
    <PlainQuestion {...QUESTIONS.place} id="ort-frage">
      <div className="question-short">
        <WithError field="postal_code">
          {(error) => (
            <Field {...POSTAL_CODE_FIELD} id={FIELD_IDS.postalCode} value={slot("form.postal_code")} error={error} />
          )}
        </WithError>
      </div>
    </PlainQuestion>
  );
}

/** The names of a list in the record, and of the free text under its last option. */
const LISTS = {
  problems: { field: "types_of_problems", otherName: "problemOther", other: "problem_other" },
  locations: { field: "problem_locations", otherName: "locationOther", other: "location_other" },
} as const;

export function ListQuestion({ name }: { readonly name: ListName }) {
  const { field, otherName, other } = LISTS[name];
  return (
    <WithError field={field}>
      {(error) => (
        <PlainQuestion {...QUESTIONS[name]} id={`${FIELD_IDS[name]}-frage`} error={error}>
          <div className="choices">
            {OPTIONS_OF[name].map((option, index) => {
              const box = (chosen: boolean) => (
                <OptionBox
                  name={name}
                  option={option}
                  isChosen={chosen}
                  {...(index === 0 && { id: FIELD_IDS[name] })}
                />
              );
              return (
                <If key={option.id} test={isChosen(name, option.id)} otherwise={box(false)}>
                  {box(true)}
                </If>
              );
            })}
          </div>
          <div className="plain-form-other" data-opened-by={OTHER}>
            <WithError field={other}>
              {(otherError) => (
                <Field
                  {...OTHER_FIELD}
                  id={FIELD_IDS[otherName]}
                  name={otherName}
                  value={slot(`form.${other}`)}
                  error={otherError}
                />
              )}
            </WithError>
          </div>
        </PlainQuestion>
      )}
    </WithError>
  );
}

export function ContactQuestion() {
  return (
    <PlainQuestion {...QUESTIONS.contact} id="kontakt-frage">
      <div className="question-columns">
        <WithError field="first_name">
          {(error) => (
            <Field
              {...CONTACT_FIELDS.firstName}
              id={FIELD_IDS.firstName}
              value={slot("form.first_name")}
              error={error}
            />
          )}
        </WithError>
        <WithError field="last_name">
          {(error) => (
            <Field {...CONTACT_FIELDS.lastName} id={FIELD_IDS.lastName} value={slot("form.last_name")} error={error} />
          )}
        </WithError>
      </div>
      <WithError field="email_address">
        {(error) => (
          <Field {...CONTACT_FIELDS.email} id={FIELD_IDS.email} value={slot("form.email_address")} error={error} />
        )}
      </WithError>
      <WithError field="phone_number">
        {(error) => (
          <Field {...CONTACT_FIELDS.phone} id={FIELD_IDS.phone} value={slot("form.phone_number")} error={error} />
        )}
      </WithError>
      <Honeypot />
    </PlainQuestion>
  );
}
