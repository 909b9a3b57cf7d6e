import type { Reporter } from "../../documents/reporter.ts";
import type { SourceDocument } from "../../documents/source-document.ts";
import { suggest } from "../../documents/suggest.ts";
import { type Roles, rolesOf, trimRole } from "./needed-roles.ts";
import type { InlineExample, RuleDocument, RuleEntry, WrittenDocument, WrittenRule } from "./rule-document.ts";
import type { Place, WrittenPlaces } from "./written-places.ts";

/** Entries of the other file first. */
const listNames = ["unwrap", "subjects", "signers", "accounts", "fees", "grants", "failures"] as const;
type ListName = (typeof listNames)[number];

export interface WrittenFile {
  source: SourceDocument;
  written: WrittenDocument;
}

export type WrittenFiles = ReadonlyMap<string, WrittenFile>;

/** What `like` gives, without contracts, name and `examples`. */
export interface Copied {
  document: Pick<RuleDocument, "members" | "abi" | "steps" | "rules" | ListName>;
  inline: { rule: string; action: string; example: InlineExample; at: Place }[];
  /** Unchanged from the other file. */
  inherited: ReadonlySet<string>;
  original: WrittenFile | undefined;
}

/** Maps by name, rules and unwrappers by id, other lists one after the other. */
export function copyRules(file: WrittenFile, files: WrittenFiles, reporter: Reporter, places: WrittenPlaces): Copied {
  const { written } = file;
  const original = findOriginal(written, files, reporter);
  const base: Partial<WrittenDocument> = original?.written ?? {};
  const left = new Set(written.without);
  checkWithout(written, original?.written, reporter);
  const others = Object.entries(base.members ?? {}).filter(([name]) => !left.has(name));
  const { members = {} } = joinMaps("members", { members: Object.fromEntries(others) }, written, places);
  const roles: Roles = {
    left,
    known: new Set([...Object.keys(written.contracts ?? {}), ...Object.keys(members)]),
    asked: new Set(rolesIn(base)),
  };
  const keep = <T>(what: string, entry: T): T | undefined => {
    const kept = trimRole(entry, roles);
    if (kept === undefined) return undefined;
    const missing = rolesOf(kept, roles).filter((role) => !roles.known.has(role));
    for (const role of missing) {
      const message = `${what} needs \`${role}\`, which is neither here nor left out by \`without\``;
      reporter.report("RL212", ["like"], message);
    }
    return missing.length > 0 ? undefined : kept;
  };
  const rules = joinRules(base, written, left, keep, { places, reporter });
  const kept = Object.entries(members).flatMap(([role, member]) => {
    const one = keep(`the member \`${role}\``, member);
    return one === undefined ? [] : [[role, one] as const];
  });
  const lists = listNames.map((name) =>
    joinLists(name, base, written, places, (entry) => {
      if (!("id" in entry)) return keep(`an entry of \`${name}\``, entry);
      return left.has(entry.id) ? undefined : keep(`\`${entry.id}\``, entry);
    }),
  );
  return {
    document: {
      ...((base.members ?? written.members) && { members: Object.fromEntries(kept) }),
      ...joinMaps("abi", base, written, places),
      ...joinMaps("steps", base, written, places),
      ...Object.assign({}, ...lists),
      ...(rules.entries && { rules: rules.entries }),
    },
    inline: rules.inline,
    inherited: rules.inherited,
    original,
  };
}

/** Undefined without `like`, or where it names no file, itself, or a file with `like`; these are reported. */
function findOriginal({ like, protocol }: WrittenDocument, files: WrittenFiles, reporter: Reporter) {
  if (like === undefined) return undefined;
  const original = files.get(like);
  if (original === undefined)
    return reporter.report("RL211", ["like"], `\`${like}\` is no rule file`, {
      suggest: suggest(like, [...files.keys()]),
    });
  if (like === protocol) return reporter.report("RL211", ["like"], "a file cannot be like itself");
  const other = original.written.like;
  if (other === undefined) return original;
  const message = `\`${like}\` is itself like \`${other}\`; a file that says its own rules was expected`;
  return reporter.report("RL211", ["like"], message);
}

/** `base`: undefined where it was not found, which is reported elsewhere. */
function checkWithout(written: WrittenDocument, base: WrittenDocument | undefined, reporter: Reporter): void {
  const { like, without = [] } = written;
  if (like === undefined && without.length > 0) {
    const message = "there is no `like` here; `without` leaves out what comes from another file";
    reporter.report("RL211", ["without"], message, { key: true });
    return;
  }
  const known = [...(base?.rules ?? []), ...(base?.unwrap ?? [])].map(({ id }) => id);
  const names = [...known, ...rolesIn(base ?? {})];
  without.forEach((name, i) => {
    const own = written.contracts?.[name] !== undefined || written.rules?.some(({ id }) => id === name) === true;
    if (own) reporter.report("RL211", ["without", i], `\`${name}\` is left out and said here as well`);
    else if (base !== undefined && !names.includes(name))
      reporter.report("RL211", ["without", i], `\`${name}\` is no rule, role or member of \`${like}\``, {
        suggest: suggest(name, names),
      });
  });
}

/** A template's roles are the names in `at` and similar fields. */
function rolesIn({
  contracts = {},
  members = {},
  kind,
  rules,
  unwrap,
  subjects,
  signers,
  accounts,
  fees = [],
  grants = [],
  failures = [],
}: Partial<WrittenDocument>): string[] {
  const own = [...Object.keys(contracts), ...Object.keys(members)];
  if (kind !== "template") return own;
  // In these entries only `at` holds roles: the other fields name arguments of the event.
  const places = [...fees, ...grants, ...failures].map(({ at }) => ({ at }));
  return [...new Set([...own, ...rolesOf([rules, unwrap, subjects, signers, accounts, places, members], undefined)])];
}

type Keep = <T>(what: string, entry: T) => T | undefined;

/** The original's in their order, amended or replaced by id; then the new ones. */
function joinRules(
  base: Partial<WrittenDocument>,
  written: WrittenDocument,
  left: ReadonlySet<string>,
  keep: Keep,
  { places, reporter }: { places: WrittenPlaces; reporter: Reporter },
): { entries: RuleEntry[] | undefined } & Pick<Copied, "inline" | "inherited"> {
  const inherited = new Set<string>();
  if (base.rules === undefined && written.rules === undefined) return { entries: undefined, inline: [], inherited };
  const entries: RuleEntry[] = [];
  const inline: Copied["inline"] = [];
  const add = (rule: WrittenRule, at: Place) => {
    const { example, ...entry } = rule;
    places.mark(["rules", entries.length], at);
    if (example !== undefined) {
      const place = { ...at, path: [...at.path, "example"] };
      inline.push({ rule: entry.id, action: entry.action ?? "", example, at: place });
    }
    entries.push(entry as RuleEntry);
  };
  const amend = (rule: WrittenRule, i: number, said: Said | undefined) => {
    const kept = keep(`the rule \`${rule.id}\``, { ...withoutRecording(rule), ...said?.rule });
    if (kept === undefined) return;
    const position = entries.length;
    if (said === undefined) inherited.add(rule.id);
    add(kept, { path: ["rules", i], inherited: true });
    for (const field of Object.keys(said?.rule ?? {}))
      places.mark(["rules", position, field], { path: ["rules", said?.i ?? 0, field] });
  };
  const own = new Map((written.rules ?? []).map((rule, i) => [rule.id, { rule, i }]).reverse() as [string, Said][]);
  const used = new Set<number>();
  for (const [i, rule] of (base.rules ?? []).entries()) {
    const said = own.get(rule.id);
    if (said !== undefined) used.add(said.i);
    if (left.has(rule.id)) continue;
    if (said?.rule.action !== undefined) add(said.rule, { path: ["rules", said.i] });
    else amend(rule, i, said);
  }
  for (const [i, rule] of (written.rules ?? []).entries()) {
    if (used.has(i)) continue;
    if (rule.action !== undefined) add(rule, { path: ["rules", i] });
    else reporter.report("RL211", ["rules", i, "id"], `\`${rule.id}\` amends no rule of \`${written.like}\``);
  }
  return { entries, inline, inherited };
}

interface Said {
  rule: WrittenRule;
  i: number;
}

/** Removes what holds for the original only: a recording, and a `says` with its protocol. */
function withoutRecording({ example, ...rule }: WrittenRule): WrittenRule {
  if (example === undefined || example.tx !== undefined) return rule;
  const { says, ...given } = example;
  return { ...rule, example: says?.includes("{protocol}") === true ? example : given };
}

function joinMaps<K extends "members" | "abi" | "steps">(
  name: K,
  base: Partial<WrittenDocument>,
  written: WrittenDocument,
  places: WrittenPlaces,
): Pick<RuleDocument, K> {
  for (const key of Object.keys(base[name] ?? {}))
    if (!Object.hasOwn(written[name] ?? {}, key)) places.mark([name, key], { path: [name, key], inherited: true });
  return (base[name] ?? written[name]) === undefined
    ? ({} as Pick<RuleDocument, K>)
    : ({ [name]: { ...base[name], ...written[name] } } as Pick<RuleDocument, K>);
}

function joinLists<K extends ListName>(
  name: K,
  base: Partial<WrittenDocument>,
  written: WrittenDocument,
  places: WrittenPlaces,
  keep: (entry: NonNullable<WrittenDocument[K]>[number]) => unknown,
): Pick<RuleDocument, K> {
  const entries: unknown[] = [];
  for (const [i, entry] of (base[name] ?? []).entries()) {
    const kept = keep(entry as never);
    if (kept === undefined) continue;
    places.mark([name, entries.length], { path: [name, i], inherited: true });
    entries.push(kept);
  }
  for (const [i, entry] of (written[name] ?? []).entries()) {
    places.mark([name, entries.length], { path: [name, i] });
    entries.push(entry);
  }
  return (entries.length === 0 ? {} : { [name]: entries }) as Pick<RuleDocument, K>;
}
