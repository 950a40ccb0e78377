import hamburg from "../../../generated/hamburg.json" with { type: "json" };
import { germanLongDate } from "../facts/format.ts";
import { OutwardLink } from "../../components/outward-link.tsx";

type Contact = (typeof hamburg.contacts)[number];

const ALL = hamburg.topics.map(({ id }) => id);

interface Props {
  /** The topics of interest to the reader; all by default. */
  topics?: string[];
  title?: string;
}

/** Names who helps and which authorities are responsible in Hamburg, with the source of each statement. */
export function Hamburg({ topics = ALL, title = "Wer in Hamburg hilft" }: Props) {
  return (
    <aside className="hamburg panel" data-edge="top" aria-label={title}>
      <p className="label">{title}</p>
      {groupsOf(topics).map((group) => (
        <div key={group.title}>
          <p className="accent strong" data-above="4">
            {group.title}
          </p>
          <ul className="hamburg-contacts measure">
            {group.contacts.map((contact) => (
              <Entry key={contact.name} contact={contact} />
            ))}
          </ul>
        </div>
      ))}
    </aside>
  );
}

function Entry({ contact: { name, phone, text, url, source, seen } }: { contact: Contact }) {
  return (
    <li>
      <p>
        <strong>{name}</strong>
        {phone && (
          <>
            , Telefon <a href={`tel:${phone.replaceAll(" ", "")}`}>{phone}</a>
          </>
        )}
      </p>
      <p>{text}</p>
      <p className="hamburg-source hint">
        Quelle: <OutwardLink href={url}>{source}</OutwardLink>, gesehen am{" "}
        <time dateTime={seen}>{germanLongDate(seen)}</time>
      </p>
    </li>
  );
}

/** Puts each contact below the first of these topics that it belongs to. */
function groupsOf(topics: string[]): { title: string; contacts: Contact[] }[] {
  const unknown = topics.find((id) => !ALL.includes(id));
  if (unknown) throw new Error(`<Hamburg topics={["${unknown}"]}>: known are ${ALL.join(", ")}.`);
  const shown = new Set<Contact>();
  return hamburg.topics
    .filter(({ id }) => topics.includes(id))
    .map(({ id, title }) => {
      const contacts = hamburg.contacts.filter((contact) => contact.topics.includes(id) && !shown.has(contact));
      for (const contact of contacts) shown.add(contact);
      return { title, contacts };
    })
    .filter(({ contacts }) => contacts.length > 0);
}
