import type { Place } from "../written-places.ts";
import { saidCondition } from "./condition.ts";
import { NormalDraft } from "./draft.ts";
import { isEntry, listed, type SaidEntry } from "./entry.ts";
import { type FileNames, knowsItems, namesOfCall } from "./file-names.ts";
import { signedOf } from "./message.ts";
import { valuePath } from "./names.ts";
import type { SaidRule } from "./said-rule.ts";
import { readSentence } from "./sentence.ts";
import { capturesOfCall, filledBy, inSentenceOrder, legsOf, putTold } from "./told.ts";

/** Of the normal form of the act. */
interface Act {
  captures: SaidEntry;
  does: unknown;
}

/** The attempts of the normal form. `captures`: of the act. */
export function triedOf(said: SaidRule, draft: NormalDraft, file: FileNames, captures: SaidEntry): unknown[] {
  const act = { captures, does: draft.entry.does };
  const { tried, anchor = {} } = said.whole as SaidEntry & { anchor?: SaidEntry };
  const whole = said.place("tried");
  const attempts: unknown[] = [];
  draft.places.mark([...draft.at, "attempts"], whole);
  for (const [i, one] of listed(tried).entries()) {
    const from: Place = whole.key === true || !Array.isArray(tried) ? whole : { path: [...whole.path, i] };
    if (isEntry(one)) {
      const own = new NormalDraft([...draft.at, "attempts", attempts.length], draft.places, draft.reporter);
      draft.places.mark(own.at, from);
      attempts.push(longAttempt(one, said, own, file, act, from));
      draft.mistaken ||= own.mistaken;
      continue;
    }
    const calls = one === "same" ? listed((anchor.within ?? anchor.call) as string | string[]) : [String(one)];
    if (calls.length === 0) draft.report(from, "`same` means the calls of the anchor, and there are none");
    for (const call of calls) {
      draft.places.mark([...draft.at, "attempts", attempts.length], { ...from, fixed: true });
      const capture = call === "any" ? {} : capturesOfCall(said.whole, namesOfCall(call, file), captures, {});
      attempts.push(Object.keys(capture).length === 0 ? call : { call, capture });
    }
  }
  return attempts;
}

function longAttempt(
  entry: SaidEntry,
  said: SaidRule,
  draft: NormalDraft,
  file: FileNames,
  { captures: act, does: actDoes }: Act,
  from: Place,
): SaidEntry {
  const {
    call,
    at,
    when,
    say,
    values = {},
    before,
    carries,
  } = entry as SaidEntry & { say?: string; values?: SaidEntry };
  const names = namesOfCall(String(listed(call as string | string[])[0] ?? ""), file);
  const place = (word: string): Place => (from.key === true ? from : { path: [...from.path, word] });
  const valuePlace = (name: string): Place => (from.key === true ? from : { path: [...from.path, "values", name] });
  const copy = (field: string, word: string, value: unknown) => {
    if (value !== undefined) draft.put(field, place(word), () => value);
  };
  copy("call", "call", call);
  copy("at", "at", at);
  if (!knowsItems(call, file)) return draft.entry;
  if (entry.for !== undefined) draft.put("acts_for", place("for"), () => valuePath(entry.for, names));
  if (when !== undefined)
    draft.put(
      "where",
      place("when"),
      (own, there) => saidCondition(when, names, draft.places, own, there.path),
      "RL401",
    );
  // Names of the act that this attempt does not fill itself are read from the call, as the act says them.
  const { values: usual = {} } = said.whole as { values?: SaidEntry };
  const known = { ...usual, ...legsOf(said.whole), ...filledBy(said.whole), ...values };
  const sentence = say === undefined ? undefined : readSentence(say, known, names);
  const told = { sentence, values, text: say ?? String(said.whole.say ?? "") };
  const own = putTold(draft, names, told, { say: place("say"), values: valuePlace });
  const seen = Object.entries(capturesOfCall(said.whole, names, act, own)).filter(
    // With a sentence of its own, only what that sentence tells is read.
    ([name]) => sentence === undefined || sentence.does.includes(`{${name}`),
  );
  const does = sentence?.does ?? String(actDoes ?? "");
  const capture = inSentenceOrder({ ...Object.fromEntries(seen), ...own }, does);
  if (Object.keys(capture).length > 0) draft.entry.capture = capture;
  copy("overrides", "before", before);
  if (carries !== undefined)
    draft.put("carries", place("carries"), (own, there) =>
      signedOf("carries", carries, names, { places: draft.places, at: own, from: there }),
    );
  return draft.entry;
}
