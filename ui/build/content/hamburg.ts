import { z } from "zod";
import { address, date, optionalText, slug, table, tables, text } from "./fields.ts";
import { readToml } from "./toml.ts";

const FILE = table({
  topic: tables({ id: slug, title: text }),
  contact: tables({
    topics: z.array(slug, "must be a list of topics").min(1, "name at least one topic"),
    name: text,
    text,
    phone: optionalText,
    url: address,
    source: text,
    seen: date,
  }),
});

/** Reads who helps and which authorities are responsible in Hamburg. */
export async function readHamburg(file: string) {
  const source = await readToml(file);
  const { topic: topics, contact: contacts } = source.read(FILE);
  const known = topics.map(({ id }) => id);
  for (const [index, { topics: named }] of contacts.entries()) {
    const wrong = named.find((id) => !known.includes(id));
    if (wrong) source.fail(["contact", index, "topics"], `there is no topic ${wrong}; known are ${known.join(", ")}`);
  }
  for (const [index, { id }] of topics.entries()) {
    if (!contacts.some((contact) => contact.topics.includes(id)))
      source.fail(["topic", index, "id"], `no contact has the topic ${id}`);
  }
  return { topics, contacts };
}
