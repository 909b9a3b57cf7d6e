import type { Place } from "../written-places.ts";
import { triedOf } from "./attempts.ts";
import { saidCondition } from "./condition.ts";
import { NormalDraft } from "./draft.ts";
import { isEntry, listed, mapEntry, type SaidEntry } from "./entry.ts";
import { type FileNames, knowsItems, namesInFile } from "./file-names.ts";
import { signedOf } from "./message.ts";
import { eachPath, type Names, partyOf, valuePath } from "./names.ts";
import type { SaidRule } from "./said-rule.ts";
import { checkAlternatives, putSentence } from "./told.ts";

/** A rule of the normal form. After a mistake, which is reported, only what it is recognized by, and where. */
export function normalRule(said: SaidRule, draft: NormalDraft, file: FileNames): SaidEntry {
  const { whole } = said;
  const names = namesInFile(whole, file);
  draft.places.mark(draft.at, { path: [said.list, said.position] });
  const copy = (field: string, from: Place, value: unknown) => draft.put(field, from, () => value);
  copy("id", said.place("id"), whole.id);
  copy("action", said.place("action"), whole.action);
  putAnchor(said, draft);
  if (whole.at !== undefined) copy("at", said.place("at"), whole.at);
  const { event, call, within, message } = (whole.anchor ?? {}) as SaidEntry;
  // Without its signature no name of the rule can be read.
  if (![event, call, within, message].every((items) => knowsItems(items, file)))
    return { ...draft.entry, does: plainWords(whole.say) };
  const bare = { ...draft.entry, does: plainWords(whole.say) };
  putSubject(said, draft, names);
  putMoney(said, draft, names);
  if (whole.when !== undefined)
    draft.put(
      "where",
      said.place("when"),
      (at, from) => saidCondition(whole.when, names, draft.places, at, from.path),
      "RL401",
    );
  const told = putSentence(said, draft, names);
  putBesides(said, draft, names);
  if (whole.before !== undefined) copy("overrides", said.place("before"), whole.before);
  if (listed(whole.after).includes("everything")) copy("yields", said.place("after"), true);
  if (listed(whole.after).includes("others")) copy("defers", said.place("after"), true);
  const attempts = triedOf(said, draft, file, told);
  if (attempts.length > 0) draft.entry.attempts = attempts;
  checkAlternatives(said, draft, file, names);
  for (const field of ["example", "survives"])
    if (whole[field] !== undefined) copy(field, said.place(field), whole[field]);
  return draft.mistaken ? bare : draft.entry;
}

/** A sentence without its values. */
function plainWords(say: unknown): string {
  return String(say)
    .replace(/\[[^\]]*\]/g, "")
    .replace(/\{[^{}]*\}/g, "it");
}

/** `within` is a condition of an event, and a call of the normal form. */
const anchorFields: Readonly<Record<string, string>> = { message: "sign", within: "call", calls_at: "call_at" };

function putAnchor(said: SaidRule, draft: NormalDraft): void {
  const { call, ...anchor } = (said.whole.anchor ?? {}) as SaidEntry;
  if (anchor.event !== undefined && call !== undefined) {
    const message = "`call` has no effect: `event` is the anchor of this rule";
    draft.report(said.place("anchor", "call"), message, { code: "RL612", suggest: "within" });
  } else if (call !== undefined) anchor.call = call;
  for (const [word, value] of Object.entries(anchor))
    draft.put(anchorFields[word] ?? word, said.place("anchor", word), () => value);
}

function putSubject(said: SaidRule, draft: NormalDraft, names: Names): void {
  const { subject } = said.whole;
  if (subject === undefined) return;
  if (!isEntry(subject)) {
    draft.put("who", said.place("subject"), () => (subject === "anyone" ? "subject" : eachPath(subject, names)));
    return;
  }
  const at = (word: string): Place => {
    const place = said.place("subject");
    return place.key ? place : { path: [...place.path, word] };
  };
  if (subject.of !== undefined) draft.put("who", at("of"), () => eachPath(subject.of, names));
  if (subject.for !== undefined) draft.put("acts_for", at("for"), () => valuePath(subject.for, names));
  if (subject.by !== undefined) draft.put("by", at("by"), () => subject.by);
}

function putMoney(said: SaidRule, draft: NormalDraft, names: Names): void {
  const { gives, gets, rest } = (said.whole.money ?? {}) as SaidEntry;
  const side = (value: unknown) => {
    return isEntry(value) && value.token !== undefined ? { ...value, token: valuePath(value.token, names) } : value;
  };
  const flow = new NormalDraft([...draft.at, "flow"], draft.places, draft.reporter);
  draft.places.mark(flow.at, said.place("money"));
  for (const [word, value] of Object.entries({ gives, gets }))
    if (value !== undefined) flow.put(word, said.place("money", word), () => side(value));
    else if (rest !== undefined) flow.put(word, said.place("money", "rest"), () => rest);
  if (Object.keys(flow.entry).length > 0) draft.entry.flow = flow.entry;
  const legs = new NormalDraft([...draft.at, "legs"], draft.places, draft.reporter);
  draft.places.mark(legs.at, said.place("money"));
  for (const [name, leg] of Object.entries(names.legs))
    legs.put(name, said.place("money", name), () => legOf(leg as SaidEntry, names));
  if (Object.keys(legs.entry).length > 0) draft.entry.legs = legs.entry;
  draft.mistaken ||= flow.mistaken || legs.mistaken;
}

function legOf(leg: SaidEntry, names: Names): SaidEntry {
  return mapEntry(leg, (value, field) => {
    if (field === "from" || field === "to") return partyOf(value, names);
    return ["token", "amount", "id"].includes(field) ? valuePath(value, names) : value;
  });
}

function putBesides(said: SaidRule, draft: NormalDraft, names: Names): void {
  for (const [word, value] of Object.entries((said.whole.also ?? {}) as SaidEntry))
    draft.put(word, said.place("also", word), (at, from) =>
      signedOf(word, value, names, { places: draft.places, at, from }),
    );
}
