import generated from "../../generated/claims.json" with { type: "json" };
import { IfSetting, useText } from "./settings.tsx";

/** A claim of `content/claims.toml`. */
export type ClaimName = keyof typeof generated;

interface Props {
  name: ClaimName;
}

/** A claim in its sentence, with its proof; nothing if the operator has switched it off. */
export function Claim({ name }: Props) {
  if (!Object.hasOwn(generated, name))
    throw new Error(`<Claim name="${name}">: known are ${Object.keys(generated).join(", ")}.`);
  const { before, after } = generated[name];
  return (
    <IfSetting name={`claims.${name}`}>
      {before}
      <ClaimValue name={name} />
      {after}
      <ClaimBasis name={name} />
    </IfSetting>
  );
}

/** A claim as a figure: its label as the term, its value as the description. */
export function ClaimFigure({ name }: Props) {
  return (
    <IfSetting name={`claims.${name}`}>
      <div>
        <dt className="hint">
          {generated[name].before}
          <ClaimBasis name={name} />
        </dt>
        <dd>{useText(`claims.${name}.value`)}</dd>
      </div>
    </IfSetting>
  );
}

/** What is claimed. The server fills it in, so CSS rather than the build keeps figures on one line with their units. */
function ClaimValue({ name }: Props) {
  const value = useText(`claims.${name}.value`);
  return /\d/.test(generated[name].value) ? <span className="fact">{value}</span> : value;
}

/** The proof of a claim, and its period. */
function ClaimBasis({ name }: Props) {
  return (
    <IfSetting name={`claims.${name}.basis`}>
      {" ("}
      {useText(`claims.${name}.basis`)}
      <IfSetting name={`claims.${name}.period`}>, {useText(`claims.${name}.period`)}</IfSetting>)
    </IfSetting>
  );
}
