import { useEffect, type ReactNode } from "react";
import { ChatButton } from "../chat/chat-button.tsx";
import { CookieBanner } from "../consent/banner.tsx";
import { DeliveryNotices } from "../outbox/delivery-notices.tsx";
import { RouteAnnouncer } from "../routing/announcer.tsx";
import { CrossFade } from "../routing/cross-fade.tsx";
import { NavigationProgress } from "../routing/navigation-progress.tsx";
import { usePreloading } from "../preloading/use-preloading.ts";
import { useScrolling } from "../routing/scroll.ts";
import { Tags } from "../tags/tags.tsx";
import { Toaster } from "../toast/toaster.tsx";
import { startTooltips } from "../tooltip/tooltips.ts";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";

/** Renders what all pages have in common around their content. */
export function Layout({ children }: { children: ReactNode }) {
  useScrolling();
  usePreloading();
  useEffect(startTooltips, []);
  return (
    <>
      <a className="skip-link" href="#inhalt">
        Zum Inhalt springen
      </a>
      <CookieBanner />
      <Header />
      <main id="inhalt" tabIndex={-1}>
        {children}
      </main>
      <Footer />
      <NavigationProgress />
      <RouteAnnouncer />
      <CrossFade />
      <ChatButton />
      <Toaster />
      <DeliveryNotices />
      <Tags />
    </>
  );
}
