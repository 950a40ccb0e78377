import { PageHead } from "../meta/page-head.tsx";
import { routeMeta } from "../meta/page-meta.ts";
import { ThankYou } from "../thanks/thank-you.tsx";
import { thankYouRoute } from "../routes/form-routes.ts";

export function ThankYouScreen() {
  return (
    <>
      <PageHead meta={routeMeta(thankYouRoute)} />
      <div className="layout-wrap layout-page">
        <ThankYou />
      </div>
    </>
  );
}
