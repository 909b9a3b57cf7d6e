import type { Place } from "../written-places.ts";
import type { NormalDraft } from "./draft.ts";
import { isEntry, listed, mapEntry, type SaidEntry } from "./entry.ts";
import { type FileNames, namesOfCall } from "./file-names.ts";
import { unlessMistaken } from "./name-mistake.ts";
import { findPath, type Names } from "./names.ts";
import type { SaidRule } from "./said-rule.ts";
import { onlyInClauses, readSentence, type SaidSentence } from "./sentence.ts";
import { captureOf } from "./values.ts";

/** Where a sentence and its values stand. */
export interface ToldPlaces {
  say: Place;
  values: (name: string) => Place;
}

/** Names that attempts fill, and that are no legs. The act may lack them; then their clause is left out. */
export function filledBy(rule: SaidEntry): SaidEntry {
  const entries = listed(rule.tried).filter(isEntry);
  const filled: SaidEntry = Object.assign({}, ...entries.map(({ values }) => values ?? {}));
  const legs = legsOf(rule);
  return Object.fromEntries(Object.entries(filled).filter(([name]) => !Object.hasOwn(legs, name)));
}

/** Puts the sentence of a rule and its captures. Gives the captures. */
export function putSentence(said: SaidRule, draft: NormalDraft, names: Names): SaidEntry {
  const { say, values = {} } = said.whole as { say?: string; values?: SaidEntry };
  const places = { say: said.place("say"), values: (name: string) => said.place("values", name) };
  const sentence = say === undefined ? undefined : readSentence(say, { ...filledBy(said.whole), ...values }, names);
  return putTold(draft, names, { sentence, values, text: say ?? "" }, places);
}

/** Puts `does` and `capture`. `text`: the author's sentence, or that of the act where there is none of its own. */
export function putTold(
  draft: NormalDraft,
  names: Names,
  { sentence, values, text }: { sentence: SaidSentence | undefined; values: SaidEntry; text: string },
  places: ToldPlaces,
): SaidEntry {
  const captures: SaidEntry = {};
  const put = (name: string, value: unknown, optional: boolean, from: Place) => {
    const at = [...draft.at, "capture", name];
    draft.places.mark(at, from);
    const make = () => captureOf(value, names, optional, { places: draft.places, at, from });
    const made = draft.attempt(from, make, typeof from.inside === "object" ? "RL501" : "RL303");
    if (made !== undefined) captures[name] = made;
  };
  for (const { name, value, optional, inside } of sentence?.said ?? []) {
    const from = places.say.key === true ? places.say : { ...places.say, inside };
    put(name, value, optional, from);
  }
  for (const [name, value] of Object.entries(values)) put(name, value, onlyInClauses(text, name), places.values(name));
  if (sentence !== undefined) {
    const from = places.say.key === true ? places.say : { ...places.say, inside: sentence.inside };
    draft.put("does", from, () => sentence.does);
  }
  const ordered = inSentenceOrder(captures, sentence?.does ?? "");
  if (Object.keys(ordered).length > 0) draft.entry.capture = ordered;
  return ordered;
}

/** Captures in the order in which a sentence tells them; then those that it does not tell. */
export function inSentenceOrder(captures: SaidEntry, does: string): SaidEntry {
  const placeOf = (name: string) => {
    const place = does.search(new RegExp(`\\{${name}[.}]`));
    return place < 0 ? does.length : place;
  };
  return Object.fromEntries(Object.entries(captures).sort(([a], [b]) => placeOf(a) - placeOf(b)));
}

/** Captures that a call gives by other names than the act; the compiler takes over all others. What it cannot give is left out. */
export function capturesOfCall(rule: SaidEntry, names: Names, act: SaidEntry, own: Readonly<SaidEntry>): SaidEntry {
  const { say, values = {} } = rule as { say?: string; values?: SaidEntry };
  const found: SaidEntry = {};
  const add = (name: string, value: unknown, optional: boolean, here: Names) => {
    const made = unlessMistaken(() => captureOf(value, here, optional, nowhere));
    const isNew = !Object.hasOwn(own, name) && JSON.stringify(made) !== JSON.stringify(act[name]);
    if (made !== undefined && isNew && !JSON.stringify(made).includes('"legs.')) found[name] = made;
  };
  const withLegs = { ...names, legs: legsOf(rule) };
  const reading = (value: unknown) =>
    typeof value === "string" && Object.hasOwn(withLegs.legs, value) ? withLegs : names;
  const sentence = say === undefined ? undefined : readSentence(say, { ...filledBy(rule), ...values }, withLegs);
  for (const { name, value, optional } of sentence?.said ?? []) add(name, value, optional, reading(value));
  for (const [name, value] of Object.entries(values)) add(name, value, onlyInClauses(say ?? "", name), reading(value));
  return found;
}

export function legsOf({ money = {} }: SaidEntry): SaidEntry {
  const { gives: _gives, gets: _gets, rest: _rest, ...legs } = money as SaidEntry;
  return legs;
}

const nowhere = { places: { mark: () => undefined } as never, at: [], from: { path: [] } };

/** Reports an alternative (`reserve/asset`) that neither the act nor a call that is tried has. */
export function checkAlternatives(said: SaidRule, draft: NormalDraft, file: FileNames, act: Names): void {
  const { say = "", values = {}, tried, anchor = {} } = said.whole as SaidEntry & { say?: string };
  const { call = [], within = call } = anchor as SaidEntry;
  const calls = listed(tried).flatMap((one) => {
    if (one === "same") return listed(within as string | string[]);
    return isEntry(one) ? listed(one.call as string | string[]) : [String(one)];
  });
  const everywhere = [act, ...calls.map((name) => namesOfCall(name, file))];
  const check = (text: string, from: Place) => {
    for (const path of alternativesIn(text)) {
      const wrong = path
        .split("/")
        .find((one) => everywhere.every((names) => unlessMistaken(() => findPath(one, names)) === undefined));
      if (wrong !== undefined)
        draft.report(from, `\`${wrong}\` is no argument of the anchor or of a call that is tried`);
    }
  };
  for (const [inBraces] of say.matchAll(/\{[^{}]*\}/g)) check(inBraces, said.place("say"));
  mapEntry(values as SaidEntry, (value, name) => typeof value === "string" && check(value, said.place("values", name)));
}

/** Paths with alternatives; `as count gauge/gauges` is none. */
function alternativesIn(text: string): string[] {
  const words = text.replace(/ as count [^}]*/g, "").match(/[A-Za-z0-9_.()-]+(?:\/[A-Za-z0-9_.()-]+)+/g) ?? [];
  return words.filter((word) => /^[A-Za-z(]/.test(word));
}
