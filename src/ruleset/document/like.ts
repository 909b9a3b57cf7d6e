import type { SourceDocument } from "../../documents/document.ts";
import type { Reporter } from "../../documents/reporter.ts";
import { suggest } from "../../documents/suggest.ts";
import { type Roles, rolesOf, trimRole } from "./needed-roles.ts";
import type { InlineExample, RuleDocument, RuleEntry, WrittenDocument, WrittenRule } from "./rule-document.ts";
import { type Place, type Trail, writtenAs } from "./trail.ts";

/** Lists whose entries are taken over in a row. */
type ListName = "unwrap" | "subjects" | "accounts" | "fees" | "grants" | "failures";

/** A file that others may be like. */
export interface WrittenFile {
  source: SourceDocument;
  written: WrittenDocument;
}

/** What a file says after `like`, without contracts, name and examples that stand in its list. */
export interface Copied {
  document: Pick<RuleDocument, "members" | "abi" | "steps" | "rules" | ListName>;
  inline: { rule: string; action: string; example: InlineExample; at: Place }[];
  /** Ids of the rules that come from the other file as they are. */
  inherited: ReadonlySet<string>;
  original: WrittenFile | undefined;
}

/** Joins a file with the one that it is like: maps by name, rules and unwrappers by id, hints in a row. */
export function copyRules(
  file: WrittenFile,
  files: ReadonlyMap<string, WrittenFile>,
  reporter: Reporter,
  trail: Trail,
): Copied {
  const { written } = file;
  const original = findOriginal(written, files, reporter);
  const base: Partial<WrittenDocument> = original?.written ?? {};
  const left = new Set(written.without ?? []);
  checkWithout(written, base, reporter);
  const members = joinMaps("members", without(base.members, left), written.members, trail);
  const roles: Roles = {
    left,
    known: new Set([...Object.keys(written.contracts ?? {}), ...Object.keys(members ?? {})]),
    asked: new Set([...rolesIn(base)]),
  };
  const keep = <T>(what: string, entry: T): T | undefined => {
    const kept = trimRole(entry, roles);
    if (kept === undefined) return undefined;
    const missing = rolesOf(kept, roles).filter((role) => !roles.known.has(role));
    for (const role of missing)
      reporter.report(
        "RL212",
        ["like"],
        `${what} needs \`${role}\`, which is neither here nor left out by \`without\``,
      );
    return missing.length > 0 ? undefined : kept;
  };
  const rules = joinRules(base, written, left, keep, { trail, reporter });
  return {
    document: {
      ...optional("members", members && keepAll(members, (role, member) => keep(`the member \`${role}\``, member))),
      ...optional("abi", joinMaps("abi", base.abi, written.abi, trail)),
      ...optional("steps", joinMaps("steps", base.steps, written.steps, trail)),
      ...joinLists("unwrap", base, written, trail, (entry) =>
        left.has(entry.id) ? undefined : keep(`\`${entry.id}\``, entry),
      ),
      ...joinLists("subjects", base, written, trail, (entry) => keep("an entry of `subjects`", entry)),
      ...joinLists("accounts", base, written, trail, (entry) => keep("an entry of `accounts`", entry)),
      ...joinLists("fees", base, written, trail, (entry) => keep("an entry of `fees`", entry)),
      ...joinLists("grants", base, written, trail, (entry) => keep("an entry of `grants`", entry)),
      ...joinLists("failures", base, written, trail, (entry) => keep("an entry of `failures`", entry)),
      ...optional("rules", rules.entries),
    },
    inline: rules.inline,
    inherited: rules.inherited,
    original,
  };
}

/** The file that this one is like, unless that is missing, the file itself, or like a third one. */
function findOriginal(
  { like, protocol }: WrittenDocument,
  files: ReadonlyMap<string, WrittenFile>,
  reporter: Reporter,
): WrittenFile | undefined {
  if (like === undefined) return undefined;
  const original = files.get(like);
  const problem =
    original === undefined
      ? `\`${like}\` is no rule file`
      : like === protocol
        ? "a file cannot be like itself"
        : original.written.like !== undefined
          ? `\`${like}\` is itself like \`${original.written.like}\`; a file that says its own rules was expected`
          : undefined;
  if (problem === undefined) return original;
  return reporter.report("RL211", ["like"], problem, {
    suggest: original === undefined ? suggest(like, [...files.keys()]) : undefined,
  });
}

function checkWithout(written: WrittenDocument, base: Partial<WrittenDocument>, reporter: Reporter): void {
  const known = [...(base.rules ?? []), ...(base.unwrap ?? [])].map(({ id }) => id);
  const names = [...known, ...rolesIn(base)];
  (written.without ?? []).forEach((name, i) => {
    const own = written.contracts?.[name] !== undefined || written.rules?.some(({ id }) => id === name) === true;
    if (own) reporter.report("RL211", ["without", i], `\`${name}\` is left out and said here as well`);
    else if (!names.includes(name))
      reporter.report("RL211", ["without", i], `\`${name}\` is no rule, role or member of \`${written.like ?? ""}\``, {
        suggest: suggest(name, names),
      });
  });
}

/** Roles and members of a file. A template has no contracts: what its rules name in `at` and the like are roles. */
function rolesIn({
  contracts = {},
  members = {},
  kind,
  rules,
  unwrap,
  subjects,
  accounts,
  fees = [],
  grants = [],
  failures = [],
}: Partial<WrittenDocument>): string[] {
  const own = [...Object.keys(contracts), ...Object.keys(members)];
  if (kind !== "template") return own;
  // Other parties of these are arguments of their event.
  const places = [...fees, ...grants, ...failures].map(({ at }) => ({ at }));
  return [...new Set([...own, ...rolesOf([rules, unwrap, subjects, accounts, places, members], undefined)])];
}

type Keep = <T>(what: string, entry: T) => T | undefined;

/** Rules of the original in their order, as amended or replaced here; then new ones. */
function joinRules(
  base: Partial<WrittenDocument>,
  written: WrittenDocument,
  left: ReadonlySet<string>,
  keep: Keep,
  { trail, reporter }: { trail: Trail; reporter: Reporter },
): { entries: RuleEntry[] | undefined } & Pick<Copied, "inline" | "inherited"> {
  const inherited = new Set<string>();
  if (base.rules === undefined && written.rules === undefined) return { entries: undefined, inline: [], inherited };
  const entries: RuleEntry[] = [];
  const inline: Copied["inline"] = [];
  const add = ({ example, ...entry }: WrittenRule, at: Place) => {
    trail.mark(["rules", entries.length], at);
    if (example !== undefined) {
      const place = { ...at, path: [...at.path, "example"] };
      inline.push({ rule: entry.id, action: entry.action ?? "", example, at: place });
    }
    entries.push(entry as RuleEntry);
  };
  const own = new Map((written.rules ?? []).map((rule, i) => [rule.id, { rule, i }]).reverse() as [string, Said][]);
  const used = new Set<number>();
  for (const [i, rule] of (base.rules ?? []).entries()) {
    const said = own.get(rule.id);
    if (said !== undefined) used.add(said.i);
    if (left.has(rule.id)) continue;
    if (said?.rule.action !== undefined) {
      add(said.rule, writtenAs(["rules", said.i]));
      continue;
    }
    const kept = keep(`the rule \`${rule.id}\``, { ...withoutRecording(rule), ...said?.rule });
    if (kept === undefined) continue;
    const position = entries.length;
    if (said === undefined) inherited.add(rule.id);
    add(kept, { path: ["rules", i], inherited: true });
    for (const field of Object.keys(said?.rule ?? {}))
      trail.mark(["rules", position, field], writtenAs(["rules", said?.i ?? 0, field]));
  }
  for (const [i, rule] of (written.rules ?? []).entries()) {
    if (used.has(i)) continue;
    if (rule.action !== undefined) add(rule, writtenAs(["rules", i]));
    else reporter.report("RL211", ["rules", i, "id"], `\`${rule.id}\` amends no rule of \`${written.like}\``);
  }
  return { entries, inline, inherited };
}

/** A rule of the file itself, with its place. */
interface Said {
  rule: WrittenRule;
  i: number;
}

/** A recording is of the original's own contracts, and a sentence that names no `{protocol}` may name its own. */
function withoutRecording({ example, ...rule }: WrittenRule): WrittenRule {
  if (example === undefined || example.tx !== undefined) return rule;
  const { says, ...given } = example;
  return { ...rule, example: says?.includes("{protocol}") === true ? example : given };
}

function joinMaps<T>(
  name: string,
  base: Record<string, T> | undefined,
  own: Record<string, T> | undefined,
  trail: Trail,
): Record<string, T> | undefined {
  for (const key of Object.keys(base ?? {}))
    if (!Object.hasOwn(own ?? {}, key)) trail.mark([name, key], { path: [name, key], inherited: true });
  return base === undefined && own === undefined ? undefined : { ...base, ...own };
}

function joinLists<K extends ListName>(
  name: K,
  base: Partial<WrittenDocument>,
  written: WrittenDocument,
  trail: Trail,
  keep: (entry: NonNullable<WrittenDocument[K]>[number]) => unknown,
): Pick<RuleDocument, K> {
  const entries: unknown[] = [];
  for (const [i, entry] of (base[name] ?? []).entries()) {
    const kept = keep(entry as never);
    if (kept === undefined) continue;
    trail.mark([name, entries.length], { path: [name, i], inherited: true });
    entries.push(kept);
  }
  for (const [i, entry] of (written[name] ?? []).entries()) {
    trail.mark([name, entries.length], writtenAs([name, i]));
    entries.push(entry);
  }
  return (entries.length === 0 ? {} : { [name]: entries }) as Pick<RuleDocument, K>;
}

function without<T>(map: Record<string, T> | undefined, left: ReadonlySet<string>): Record<string, T> | undefined {
  return map && Object.fromEntries(Object.entries(map).filter(([name]) => !left.has(name)));
}

function keepAll<T>(map: Record<string, T>, keep: (name: string, value: T) => T | undefined): Record<string, T> {
  return Object.fromEntries(
    Object.entries(map).flatMap(([name, value]) => {
      const kept = keep(name, value);
      return kept === undefined ? [] : [[name, kept] as const];
    }),
  );
}

function optional<K extends string, T>(name: K, value: T | undefined): { [key in K]?: T } {
  return (value === undefined ? {} : { [name]: value }) as { [key in K]?: T };
}
