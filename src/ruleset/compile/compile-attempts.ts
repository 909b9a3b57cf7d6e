import type { MatchContext } from "../../model/match.ts";
import { type ActionType, tierOf } from "../actions.ts";
import type { Anchor, CompiledCapture, CompiledRule, Gate } from "../compiled.ts";
import { controlRank } from "../control.ts";
import { attemptsOf } from "../document/attempt-entry.ts";
import type { AttemptEntry, CaptureEntry, RuleEntry } from "../document/rule-document.ts";
import { anchorProof, plainCall } from "./anchor.ts";
import { compileCapture, getter } from "./capture.ts";
import { compileGate, gateStrength } from "./gate.ts";
import type { PathScope } from "./path.ts";
import { countScope, type FileScope, functionNamed, listOf } from "./scope.ts";
import { parseTemplate } from "./template.ts";
import { whereOf } from "./where.ts";

type At = (string | number)[];
/** What an attempt has in common with its act. */
type ActIdentity = Pick<CompiledRule, "id" | "file" | "protocol" | "action" | "rank" | "exchanges">;

/** Earlier attempts of the same rule by their call and place: the first that fits is told. */
type Taken = Map<string, ((context: MatchContext) => boolean)[]>;

/** Compiles `attempts:` of a rule: one rule for each call by which a reverted transaction is recognized. */
export function compileAttempts(
  file: FileScope,
  entry: RuleEntry,
  at: At,
  action: ActionType,
  identity: ActIdentity,
  versionOf: () => string,
): CompiledRule[] {
  const taken: Taken = new Map();
  return attemptsOf(entry).flatMap(({ attempt, path, callPath }, number) =>
    listOf(attempt.call).flatMap((name): CompiledRule[] => {
      const place = [...at, ...path];
      const anchor = anchorOf(file, entry, attempt, name, { place, calls: [...at, ...callPath] });
      if (anchor === undefined) return [];
      const compiled = compileAttempt(file, entry, { attempt, anchor, place }, action, identity);
      const key = JSON.stringify([name, placeOf(entry, attempt) ?? null]);
      const earlier = [...(taken.get(key) ?? [])];
      taken.set(key, [...earlier, compiled.where]);
      const where: CompiledRule["where"] =
        earlier.length === 0
          ? compiled.where
          : (context) => compiled.where(context) && !earlier.some((other) => other(context));
      return [
        {
          ...compiled,
          where,
          attempt: number,
          get version() {
            return versionOf();
          },
        },
      ];
    }),
  );
}

/** Where the calls of an attempt go: as it says, else where the act's own calls go. */
export function placeOf(entry: RuleEntry, attempt: AttemptEntry): string | string[] | undefined {
  return attempt.at ?? entry.call_at ?? entry.at;
}

function anchorOf(
  file: FileScope,
  entry: RuleEntry,
  attempt: AttemptEntry,
  name: string,
  { place, calls }: { place: At; calls: At },
): Anchor | undefined {
  const stated = placeOf(entry, attempt);
  // An act that money flow alone decides may claim whatever reverted.
  const unanchored = [entry.event, entry.call, entry.transfer, stated].every((part) => part === undefined);
  if (name === "any" && unanchored) return { kind: "none" };
  const gate: Gate = compileGate(file, stated, attempt.at === undefined ? place : [...place, "at"]);
  if (name === "any") return { kind: "call", call: null, gate };
  if (name === "plain") return { kind: "call", call: plainCall, gate };
  const call = functionNamed(file, name, calls);
  return call === undefined ? undefined : { kind: "call", call, gate };
}

function compileAttempt(
  file: FileScope,
  entry: RuleEntry,
  { attempt, anchor, place }: { attempt: AttemptEntry; anchor: Anchor; place: At },
  action: ActionType,
  identity: ActIdentity,
): Omit<CompiledRule, "attempt" | "version"> {
  const scope: PathScope = {
    args: anchor.kind === "call" ? (anchor.call?.inputs ?? null) : null,
    input: null,
    item: null,
    legs: [],
    anchor: "call",
    contracts: file.contracts,
    count: countScope(file, { kind: "any" }),
  };
  const strength = anchor.kind === "call" ? gateStrength(anchor.gate) : 0;
  const actsFor = attempt.acts_for;
  return {
    ...identity,
    protocol: strength === 0 ? null : identity.protocol,
    tier: tierOf(action, strength, actsFor !== undefined),
    specificity: { place: strength, evidence: anchorProof(anchor), legs: 0 },
    status: "reverted",
    anchor,
    who: [],
    actsFor: actsFor === undefined ? null : (getter(file, scope, actsFor, ["address"], [...place, "acts_for"]) ?? null),
    legsFirst: false,
    flow: null,
    legs: [],
    absorbs: [],
    where: whereOf(file, scope, conditionOf(entry, attempt), attempt.where === undefined ? place : [...place, "where"]),
    captures: capturesOf(file, entry, attempt, scope, place),
    does: parseTemplate(attempt.does ?? entry.does),
    by: null,
    yields: entry.yields ?? false,
    defers: entry.defers ?? false,
    // What was only tried changed nothing.
    ...{ control: false, controlRank: controlRank(null) },
    overrides: (attempt.overrides ?? []).map((other) => file.idOf(other)),
  };
}

/** What an attempt asks of its call: what it says, else what an act by the same call asks of that call alone. */
export function conditionOf(entry: RuleEntry, { call, where }: AttemptEntry): unknown {
  if (where !== undefined || entry.where === undefined || entry.event !== undefined) return where;
  const own = new Set(listOf(entry.call));
  if (!listOf(call).every((name) => own.has(name))) return undefined;
  const paths = [...JSON.stringify(entry.where).matchAll(/"var":"([^"]*)"/g)].map(([, path]) => path ?? "");
  return paths.every((path) => /^(?:args|call)\./.test(path)) ? entry.where : undefined;
}

/** The act's captures as far as the call's own arguments have them, and those that the attempt states. */
function capturesOf(
  file: FileScope,
  entry: RuleEntry,
  attempt: AttemptEntry,
  scope: PathScope,
  place: At,
): Map<string, CompiledCapture> {
  const captures = new Map<string, CompiledCapture>();
  const quiet: FileScope = { ...file, reporter: { file: file.reporter.file, report: () => undefined } };
  const sameContract = attempt.at === undefined && entry.call_at === undefined;
  for (const [name, capture] of Object.entries(entry.capture ?? {})) {
    const inherited = compileCapture(quiet, scope, asSeenByCall(capture, entry, sameContract), []);
    if (inherited !== undefined) captures.set(name, inherited);
  }
  for (const [name, capture] of Object.entries(attempt.capture ?? {})) {
    const own = compileCapture(file, scope, capture, [...place, "capture", name]);
    if (own !== undefined) captures.set(name, own);
  }
  return captures;
}

/** Paths of the act in the words of the call: its `input` are the attempt's `args`, its emitter is the called contract. */
function asSeenByCall(capture: CaptureEntry, entry: RuleEntry, sameContract: boolean): CaptureEntry {
  if (Array.isArray(capture)) return capture.map((item) => asSeenByCall(item, entry, sameContract) as typeof item);
  const seen = Object.entries(capture).map(([field, value]): [string, unknown] => {
    if (typeof value !== "string") return [field, value];
    if (value === "emitter" && entry.event !== undefined && sameContract) return [field, "call.to"];
    return [field, value.replace(/^input\./, "args.")];
  });
  return Object.fromEntries(seen);
}
