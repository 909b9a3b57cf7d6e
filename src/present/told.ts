import type { Address } from "../kernel/address.ts";
import { unlimitedThreshold } from "../kernel/amount.ts";
import type { MatchContext } from "../model/match.ts";
import type { Phrase } from "../model/phrase.ts";
import type { Part } from "../ruleset/compile/template.ts";
import type { CompiledCapture, CompiledRule } from "../ruleset/compiled.ts";

/** `past`: it happened. `attempt`: it was reverted. `conditional`: it could happen. `request`: what is asked for, `swap …`. */
export type SentenceForm = "past" | "attempt" | "conditional" | "request";

/** What a sentence is told about, and how. */
export interface Told {
  rule: Pick<CompiledRule, "captures" | "protocol" | "tier" | "etherPays">;
  context: MatchContext;
  form: SentenceForm;
  /** What else may be told, by placeholder. */
  also?: ReadonlyMap<string, Phrase>;
}

/** Addresses of two bytes stand for something: precompiles, `msg.sender` and the router itself in Uniswap's routers. */
const reservedStart = `0x${"0".repeat(36)}`;

/** Not the subject, the called contract, or a small number that routers take for one of them. */
export function isSomeoneElse(address: Address, { subject, call }: MatchContext): boolean {
  return address !== subject && address !== call?.to && !address.startsWith(reservedStart);
}

/** How many logs of admitted emitters a `count` capture means. */
export function countLogs(capture: CompiledCapture & { kind: "count" }, context: MatchContext): number {
  return context.logsWith(capture.event.hash).filter((log) => {
    if (!context.admits(capture.gate, log.address)) return false;
    const args = capture.event.read(log.topics, log.data);
    return args !== undefined && (capture.where === null || capture.where(args));
  }).length;
}

/**
 * Whether a part is a count of nothing, or the largest number, by which callers ask for all there is. In what is asked for, a time that
 * never comes is no end.
 */
export function isIdle(part: Part, { rule, context, form }: Told): boolean {
  const capture = typeof part === "string" || part.kind !== "value" ? undefined : rule.captures.get(part.capture);
  const count =
    capture?.kind === "integer" || (capture?.kind === "time" && form === "request") ? capture.get(context) : undefined;
  if (typeof count !== "bigint") return false;
  return count === 0n || count >= (capture?.kind === "time" ? yearTenThousand : unlimitedThreshold);
}

/** Unix seconds that no date is written for. */
export const yearTenThousand = 253_402_300_800n;
