import type { Reporter } from "../../../documents/reporter.ts";
import { suggest } from "../../../documents/suggest.ts";
import type { Place } from "../written-places.ts";
import { isEntry, type SaidEntry } from "./entry.ts";

/** The lists of a file that hold rules. */
export type RuleList = "rules" | "messages";

/** A rule with all that it takes over by `like`. */
export class SaidRule {
  readonly list: RuleList;
  readonly position: number;
  /** What stands in the file. */
  readonly own: SaidEntry;
  /** With what is taken over. */
  readonly whole: SaidEntry;

  constructor(list: RuleList, position: number, own: SaidEntry, whole: SaidEntry) {
    this.list = list;
    this.position = position;
    this.own = own;
    this.whole = whole;
  }

  /** Where the author says a field, or an entry of one. What is taken over stands at `like`. */
  place(field: string, entry?: string): Place {
    const path = ["rules", this.position];
    path[0] = this.list;
    const value = this.own[field];
    const isOwn = entry !== undefined && isEntry(value) ? Object.hasOwn(value, entry) : value !== undefined;
    if (!isOwn && this.own.like !== undefined && this.whole[field] !== undefined)
      return { path: [...path, "like"], key: true };
    if (this.list === "messages" && field === "anchor") return { path: [...path, "message"] };
    if (this.list === "messages" && field === "also" && entry !== undefined) return { path: [...path, entry] };
    return { path: [...path, field, ...(entry !== undefined && isEntry(value) ? [entry] : [])] };
  }
}

/** Words that rules of `messages` say beside those of other rules. */
export const messageWords = [
  ...["allows", "gives", "gets", "parts", "empowers", "place", "domain", "every_chain", "carries"],
] as const;

/** A rule of `messages` in the shape of other rules. */
export function raiseMessage({ message, ...rule }: SaidEntry): SaidEntry {
  const words: readonly string[] = messageWords;
  const also = Object.fromEntries(Object.entries(rule).filter(([word]) => words.includes(word)));
  const rest = Object.fromEntries(Object.entries(rule).filter(([word]) => !words.includes(word)));
  return {
    ...rest,
    ...(message !== undefined && { anchor: { message } }),
    ...(Object.keys(also).length > 0 && { also }),
  };
}

/** Taken over entry by entry; every other field as a whole. */
const joined: ReadonlySet<string> = new Set(["anchor", "money", "also", "values"]);
/** Never taken over: about one rule alone. */
const ownFields: ReadonlySet<string> = new Set(["id", "like", "example", "survives"]);

/** Each `like` gets the fields of a rule further up. Mistakes are reported where there is a reporter. */
export function sayRules(list: RuleList, written: readonly SaidEntry[], reporter?: Reporter): SaidRule[] {
  const known = new Map<unknown, SaidEntry>();
  return written.flatMap((raw, position) => {
    const own = list === "messages" ? raiseMessage(raw) : raw;
    if (own.like === undefined) {
      known.set(own.id, own);
      return new SaidRule(list, position, own, own);
    }
    const base = known.get(own.like);
    if (base === undefined) {
      const problem = written.some(({ id }) => id === own.like)
        ? `\`${own.like}\` does not stand above, or is itself like another rule`
        : `\`${own.like}\` is no rule of this file`;
      const names = [...known.keys()].map(String);
      reporter?.report("RL216", [list, position, "like"], problem, { suggest: suggest(String(own.like), names) });
      return [];
    }
    checkNone(own, base, (path) =>
      reporter?.report(
        "RL216",
        [list, position, ...path],
        `\`${own.like}\` says nothing here that \`none\` could take away`,
      ),
    );
    return new SaidRule(list, position, own, overlay(base, own));
  });
}

/** What a rule says goes before what it takes over, and `none` takes away. */
export function overlay(base: SaidEntry, own: SaidEntry): SaidEntry {
  const whole = Object.fromEntries(Object.entries(base).filter(([field]) => !ownFields.has(field)));
  for (const [field, value] of Object.entries(own)) {
    const known = whole[field];
    if (field === "like") continue;
    if (value === "none") delete whole[field];
    else if (joined.has(field) && isEntry(known) && isEntry(value)) {
      const both = { ...known, ...value };
      whole[field] = Object.fromEntries(Object.entries(both).filter(([, one]) => one !== "none"));
    } else whole[field] = value;
  }
  return whole;
}

/** `none` for something that is not there. */
export function checkNone(own: SaidEntry, base: SaidEntry, report: (path: string[]) => void): void {
  for (const [field, value] of Object.entries(own)) {
    const known = base[field];
    if (value === "none" && known === undefined) report([field]);
    if (!joined.has(field) || !isEntry(value)) continue;
    for (const [name, one] of Object.entries(value))
      if (one === "none" && !(isEntry(known) && known[name] !== undefined)) report([field, name]);
  }
}
