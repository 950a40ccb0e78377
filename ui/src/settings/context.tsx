import { createContext, useContext, type ReactNode } from "react";
import { expression, lookup, textOf } from "./lookup.ts";
import type { SettingName, Settings, TextName } from "./types.ts";

/**
 * Where the settings come from. Pages are prerendered before they are known: in the mode `"template"` a setting renders
 * as an expression of the template language, which the server evaluates once at start. In the browser the same
 * components render the real values.
 */
type Source = Settings | "template";

const SettingsContext = createContext<Source>("template");

export const SettingsProvider = SettingsContext.Provider;

/** Returns the text of a setting. Wrap it in `IfSetting` if the setting may be absent. */
export function useText(name: TextName): string {
  const source = useContext(SettingsContext);
  return source === "template" ? `{{ ${expression(name)} }}` : textOf(source, name);
}

/** Returns the settings in the browser, null while prerendering. For event handlers and effects, not for rendering. */
export function useSettings(): Settings | null {
  const source = useContext(SettingsContext);
  return source === "template" ? null : source;
}

interface Condition {
  name: SettingName;
  children: ReactNode;
}

/** Renders its children only if the setting is present, and neither false nor empty. */
export function IfSetting({ name, children }: Condition) {
  const source = useContext(SettingsContext);
  if (source === "template") return <When condition={expression(name)}>{children}</When>;
  return isPresent(lookup(source, name)) ? children : null;
}

/** Renders its children only if `IfSetting` would not: for texts about a feature that is off. */
export function UnlessSetting({ name, children }: Condition) {
  const source = useContext(SettingsContext);
  if (source === "template") return <When condition={`not ${expression(name)}`}>{children}</When>;
  return isPresent(lookup(source, name)) ? null : children;
}

/** Leaves the decision to the server. */
function When({ condition, children }: { condition: string; children: ReactNode }) {
  return (
    <>
      {`{% if ${condition} %}`}
      {children}
      {"{% endif %}"}
    </>
  );
}

function isPresent(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** Renders one link for each sister site. */
export function EachSisterSite({ children }: { children: (site: { url: string; label: string }) => ReactNode }) {
  const source = useContext(SettingsContext);
  if (source === "template") {
    return (
      <>
        {"{% for item in site.links.sister_sites %}"}
        {children({ url: "{{ item.url }}", label: "{{ item.label }}" })}
        {"{% endfor %}"}
      </>
    );
  }
  return source.links.sister_sites.map((site) => children(site));
}
