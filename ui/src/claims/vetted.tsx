import type { ReactNode } from "react";
import { IfSetting, UnlessSetting } from "../settings/context.tsx";

interface Props {
  /** Words that call firms vetted. */
  children: ReactNode;
  /** The text for while not every firm that is asked has a valid check. */
  otherwise: ReactNode;
}

/** Calls firms vetted (`geprüft`) only where they are. */
export function Vetted({ children, otherwise }: Props) {
  return (
    <>
      <IfSetting name="vetted">{children}</IfSetting>
      <UnlessSetting name="vetted">{otherwise}</UnlessSetting>
    </>
  );
}
