import type { ReactNode } from "react";
import { Each, If, slot } from "../template/template.tsx";
import { PostButton } from "../components/submit.tsx";

interface TaskProps {
  count: string;
  one: string;
  several: string;
  hint: ReactNode;
  href: string;
  children?: ReactNode;
}

const RETRY = (
  <PostButton action="/zustellen" look="button-quiet button-small">
    Alles jetzt zustellen
  </PostButton>
);

/** Lists only what needs the operator's attention now. */
export function ToDo() {
  return (
    <section aria-labelledby="zu-tun">
      <h2 id="zu-tun">Jetzt zu tun</h2>
      <If test="nothing_to_do">
        <p className="card" data-tone="good">
          Nichts. Keine Anfrage wartet auf Sie.
        </p>
      </If>
      <ul className="desk-tasks stack">
        <Task
          count="to_do.unmatched"
          one="Anfrage ohne Betrieb"
          several="Anfragen ohne Betrieb"
          hint="Fragen Sie selbst einen Betrieb, oder rufen Sie den Kunden an."
          href="/posteingang?state=unmatched&open=1"
        />
        <Task
          count="to_do.suspected"
          one="verdächtige Anfrage"
          several="verdächtige Anfragen"
          hint="Echte geben Sie frei."
          href="/posteingang?state=suspected&open=1"
        />
        <Task
          count="to_do.failed"
          one="Nachricht kam nicht an"
          several="Nachrichten kamen nicht an"
          hint="Ist der Grund behoben, dann stellen Sie erneut zu."
          href="/posteingang?state=failed&open=1"
        >
          {RETRY}
        </Task>
        <Task
          count="to_do.reviews"
          one="Bewertung wartet"
          several="Bewertungen warten"
          hint="Sie entscheiden, was auf die Startseite kommt."
          href="/bewertungen"
        />
        <If test="to_do.checks">
          <li className="desk-task card" data-tone="bad">
            <a className="touch strong" href="/betriebe">
              Prüfung von Betrieben endet
            </a>
            <Each entry="check" list="to_do.checks">
              <p className="hint">
                {slot("check.name")}: {slot("check.last_day | day")}
              </p>
            </Each>
          </li>
        </If>
        <If test="to_do.held > 0">
          <li className="desk-task card" data-tone="bad">
            <p className="hint">
              Seit der Wiederherstellung zurückgehalten: {slot("to_do.held")}. Ein Teil kann schon angekommen sein.
            </p>
            {RETRY}
          </li>
        </If>
      </ul>
      <If test="is_bounded">
        <p className="hint">Gezählt sind die neuesten 10.000 Anfragen.</p>
      </If>
    </section>
  );
}

function Task({ count, one, several, hint, href, children }: TaskProps) {
  return (
    <If test={`${count} > 0`}>
      <li className="desk-task card" data-tone="bad">
        <a className="touch strong" href={href}>
          <strong className="desk-task-count">{slot(count)}</strong>{" "}
          <If test={`${count} == 1`} otherwise={several}>
            {one}
          </If>
        </a>
        <p className="hint">{hint}</p>
        {children}
      </li>
    </If>
  );
}
