import type { ReactNode } from "react";
import { If } from "../components/if.tsx";
import { Each, put } from "./template.tsx";

interface TaskProps {
  count: string;
  one: string;
  several: string;
  hint: ReactNode;
  href: string;
}

/** Says what waits for the operator now; what does not wait is not there. */
export function ToDo() {
  return (
    <section className="desk-to-do" aria-labelledby="zu-tun">
      <h2 id="zu-tun">Jetzt zu tun</h2>
      <If test="nothing_to_do">
        <p className="desk-to-do-nothing">Nichts. Keine Anfrage wartet auf Sie.</p>
      </If>
      <ul className="desk-tasks">
        <Task
          count="to_do.unmatched"
          one="Anfrage ohne Betrieb"
          several="Anfragen ohne Betrieb"
          hint="Fragen Sie selbst einen Betrieb, oder sagen Sie ab."
          href="/posteingang?state=unmatched"
        />
        <Task
          count="to_do.suspected"
          one="verdächtige Anfrage"
          several="verdächtige Anfragen"
          hint="Ist es ein Mensch? Dann geben Sie die Anfrage frei."
          href="/posteingang?state=suspected"
        />
        <Task
          count="to_do.failed"
          one="Nachricht kam nicht an"
          several="Nachrichten kamen nicht an"
          hint="Beheben Sie den Grund, und stellen Sie erneut zu."
          href="/posteingang?state=failed"
        />
        <Task
          count="to_do.reviews"
          one="Bewertung wartet"
          several="Bewertungen warten"
          hint="Lesen Sie sie, und entscheiden Sie, ob sie auf die Startseite kommt."
          href="/bewertungen"
        />
        <If test="to_do.checks">
          <li className="desk-task">
            <a href="/betriebe">Prüfung von Betrieben endet</a>
            <Each entry="check" list="to_do.checks">
              <p className="desk-task-hint">
                {put("check.name")}: {put("check.last_day | day")}
              </p>
            </Each>
          </li>
        </If>
        <If test="to_do.held > 0 or to_do.failed > 0">
          <li className="desk-task">
            <form method="post" action="/zustellen">
              <p className="desk-task-hint">
                <If test="to_do.held > 0" otherwise="Ist der Grund behoben?">
                  Seit der Wiederherstellung zurückgehalten: {put("to_do.held")}.
                </If>
              </p>
              <button className="button-quiet button-small" type="submit">
                Alles jetzt zustellen
              </button>
            </form>
          </li>
        </If>
      </ul>
      <If test="is_bounded">
        <p className="field-hint">Gezählt sind die neuesten 10.000 Anfragen.</p>
      </If>
    </section>
  );
}

function Task({ count, one, several, hint, href }: TaskProps) {
  return (
    <If test={`${count} > 0`}>
      <li className="desk-task">
        <a href={href}>
          <strong className="desk-task-count">{put(count)}</strong>{" "}
          <If test={`${count} == 1`} otherwise={several}>
            {one}
          </If>
        </a>
        <p className="desk-task-hint">{hint}</p>
      </li>
    </If>
  );
}
