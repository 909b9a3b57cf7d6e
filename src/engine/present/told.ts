import type { Address } from "../../kernel/address.ts";
import { unlimitedThreshold } from "../../kernel/amount.ts";
import type { MatchContext } from "../../model/match.ts";
import type { Phrase } from "../../model/phrase.ts";
import type { Part } from "../../rules/ruleset/compile/template.ts";
import type { CompiledCapture, CompiledRule } from "../../rules/ruleset/compiled.ts";
import { yearTenThousand } from "./amounts/measure.ts";

/** `past`: happened. `attempt`: reverted. `conditional`: could happen. `request`: `swap …`. */
export type SentenceForm = "past" | "attempt" | "conditional" | "request";

export interface Told {
  rule: Pick<CompiledRule, "captures" | "protocol" | "tier" | "etherPays">;
  context: MatchContext;
  form: SentenceForm;
  /** By placeholder. */
  also?: ReadonlyMap<string, Phrase>;
}

/** Precompiles, and Uniswap's constants for `msg.sender` and the router: no accounts. */
const reservedStart = `0x${"0".repeat(36)}`;

/** Not the subject, the called contract or a reserved number. */
export function isSomeoneElse(address: Address, { subject, call }: MatchContext): boolean {
  return address !== subject && address !== call?.to && !address.startsWith(reservedStart);
}

/** Of admitted emitters. */
export function countLogs(capture: CompiledCapture & { kind: "count" }, context: MatchContext): number {
  return context.logsWith(capture.event.hash).filter((log) => {
    if (!context.admits(capture.gate, log.address)) return false;
    const args = capture.event.read(log.topics, log.data);
    return args !== undefined && (capture.where === null || capture.where(args));
  }).length;
}

/** A count or span of 0, or the largest number ("all"). In a request also a time too far for a deadline. */
export function isIdle(part: Part, { rule, context, form }: Told): boolean {
  const capture = typeof part === "string" || part.kind !== "value" ? undefined : rule.captures.get(part.capture);
  const count =
    capture?.kind === "integer" || capture?.kind === "duration" || (capture?.kind === "time" && form === "request")
      ? capture.get(context)
      : undefined;
  if (typeof count !== "bigint") return false;
  return count === 0n || count >= (capture?.kind === "time" ? yearTenThousand : unlimitedThreshold);
}
