import type { ReactNode } from "react";
import { IfSetting, UnlessSetting } from "../settings/context.tsx";

interface Props {
  /** Words that call firms vetted. */
  children: ReactNode;
  /** What stands there while not every firm that is asked has a check that counts. */
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
