import type { MatchContext } from "../../../model/match.ts";
import type { Anchor, CompiledRule } from "../compiled.ts";
import { attemptsOf } from "../document/attempt-entry.ts";
import type { AttemptEntry, CaptureEntry, RuleEntry } from "../document/rule-document.ts";
import { callAnchor } from "./anchor.ts";
import { compileCaptures, inNameOrder } from "./capture.ts";
import { compileGate } from "./gate.ts";
import { compileCarried } from "./messages/carried.ts";
import { listOf } from "./scope.ts";
import { Spot } from "./spot.ts";
import { compileWhole } from "./where.ts";

/** `said`: fields that an attempt may state itself. `parts`: compiled already. */
export type BuildRule = (
  spot: Spot,
  anchor: Anchor,
  said: Pick<AttemptEntry, "acts_for" | "does" | "overrides">,
  parts: Pick<
    CompiledRule,
    | "status"
    | "who"
    | "flow"
    | "legs"
    | "absorbs"
    | "premise"
    | "kind"
    | "where"
    | "captures"
    | "carries"
    | "by"
    | "attempt"
  >,
) => CompiledRule;

/** Each call by which a reverted transaction is recognized becomes a rule. */
export function compileAttempts(spot: Spot, entry: RuleEntry, build: BuildRule): CompiledRule[] {
  /** By call and place: of several attempts that fit, only the first counts. */
  const taken = new Map<string, ((context: MatchContext) => boolean)[]>();
  return attemptsOf(entry).flatMap(({ attempt, path, callPath }, number) =>
    listOf(attempt.call).flatMap((name): CompiledRule[] => {
      const place = spot.in(...path);
      const anchor = anchorOf(place, entry, attempt, name, spot.in(...callPath));
      if (anchor === undefined) return [];
      const there = place.reading({
        args: anchor.kind === "call" ? (anchor.call?.inputs ?? null) : null,
        anchor: "call",
        count: { kind: "any" },
      });
      const own = compileWhole(attempt.where === undefined ? there : there.in("where"), conditionOf(entry, attempt));
      const key = JSON.stringify([name, placeOf(entry, attempt)]);
      const earlier = taken.get(key) ?? [];
      taken.set(key, [...earlier, own]);
      const first = (context: MatchContext) => own(context) && !earlier.some((other) => other(context));
      return [
        build(there, anchor, attempt, {
          status: "reverted",
          who: [],
          flow: null,
          legs: [],
          absorbs: [],
          premise: () => true,
          kind: () => true,
          where: earlier.length === 0 ? own : first,
          captures: capturesOf(there, entry, attempt),
          carries: compileCarried(there.in("carries"), attempt.carries),
          by: null,
          attempt: number,
        }),
      ];
    }),
  );
}

/** Its own `at`, else that of the act's calls. */
export function placeOf(entry: RuleEntry, attempt: AttemptEntry): string | string[] | undefined {
  return attempt.at ?? entry.call_at ?? entry.at;
}

function anchorOf(spot: Spot, entry: RuleEntry, attempt: AttemptEntry, name: string, call: Spot): Anchor | undefined {
  const stated = placeOf(entry, attempt);
  // This act has no event, call or place of its own, so its attempt may match anything that reverted.
  const unanchored = [entry.event, entry.call, entry.transfer, stated].every((part) => part === undefined);
  if (name === "any" && unanchored) return { kind: "none" };
  return callAnchor(call, name, compileGate(attempt.at === undefined ? spot : spot.in("at"), stated));
}

/** Its own `where`; else that of the act, if the act has the same calls and its condition reads nothing but the call. */
export function conditionOf(entry: RuleEntry, { call, where }: AttemptEntry): unknown {
  if (where !== undefined || entry.where === undefined || entry.event !== undefined) return where;
  const own = new Set(listOf(entry.call));
  if (!listOf(call).every((name) => own.has(name))) return undefined;
  const paths = [...JSON.stringify(entry.where).matchAll(/"var":"([^"]*)"/g)].map(([, path]) => path ?? "");
  return paths.every((path) => /^(?:args|call)\./.test(path)) ? entry.where : undefined;
}

/** Its own, and those of the act that the call's arguments can supply. */
function capturesOf(spot: Spot, entry: RuleEntry, attempt: AttemptEntry): CompiledRule["captures"] {
  const { file } = spot;
  const quiet = new Spot({ ...file, reporter: { ...silent, file: file.reporter.file } }, [], spot.scope);
  const sameContract = attempt.at === undefined && entry.call_at === undefined;
  const seen = Object.entries(entry.capture ?? {}).map(([name, capture]): [string, CaptureEntry] => [
    name,
    asSeenByCall(capture, entry, sameContract),
  ]);
  const inherited = compileCaptures(quiet, Object.fromEntries(seen));
  return inNameOrder(new Map([...inherited, ...compileCaptures(spot.in("capture"), attempt.capture, inherited)]));
}

/** A capture that the call cannot supply is no mistake. */
const silent = { checked: true as const, report: () => undefined };

/** `input.` becomes `args.`, `emitter` the called contract. */
function asSeenByCall(capture: CaptureEntry, entry: RuleEntry, sameContract: boolean): CaptureEntry {
  if (Array.isArray(capture)) return capture.map((item) => asSeenByCall(item, entry, sameContract) as typeof item);
  const seen = Object.entries(capture).map(([field, value]): [string, unknown] => {
    if (typeof value !== "string") return [field, value];
    if (value === "emitter" && entry.event !== undefined && sameContract) return [field, "call.to"];
    return [field, value.replace(/^input\./, "args.")];
  });
  return Object.fromEntries(seen);
}
