import type { Address } from "../../kernel/address.ts";
import { unlimitedThreshold } from "../../kernel/amount.ts";
import type { MatchContext } from "../../model/match.ts";
import type { Phrase } from "../../model/phrase.ts";
import type { Part } from "../../rules/ruleset/compile/template.ts";
import type { CompiledCapture, CompiledRule } from "../../rules/ruleset/compiled.ts";
import { yearTenThousand } from "./amounts/measure.ts";

/** `past`: it happened. `attempt`: it reverted. `conditional`: it could happen. `request`: it is asked for, as in `swap …`. */
export type SentenceForm = "past" | "attempt" | "conditional" | "request";

/** The act that a sentence is about, and the form of the sentence. */
export interface Told {
  rule: Pick<CompiledRule, "captures" | "protocol" | "tier" | "etherPays">;
  context: MatchContext;
  form: SentenceForm;
  /** Further values that may be told, by placeholder. */
  also?: ReadonlyMap<string, Phrase>;
}

/** Addresses with 18 leading zero bytes are no accounts: precompiles, and Uniswap's constants for `msg.sender` and the router itself. */
const reservedStart = `0x${"0".repeat(36)}`;

/** Whether an address is neither the subject, nor the called contract, nor one of the reserved small numbers. */
export function isSomeoneElse(address: Address, { subject, call }: MatchContext): boolean {
  return address !== subject && address !== call?.to && !address.startsWith(reservedStart);
}

/** How many logs a `count` capture counts, of emitters that it admits. */
export function countLogs(capture: CompiledCapture & { kind: "count" }, context: MatchContext): number {
  return context.logsWith(capture.event.hash).filter((log) => {
    if (!context.admits(capture.gate, log.address)) return false;
    const args = capture.event.read(log.topics, log.data);
    return args !== undefined && (capture.where === null || capture.where(args));
  }).length;
}

/**
 * Whether a part is a count of 0, or the largest number, which callers use for "all". In a request, also a time so far away that it is no
 * deadline.
 */
export function isIdle(part: Part, { rule, context, form }: Told): boolean {
  const capture = typeof part === "string" || part.kind !== "value" ? undefined : rule.captures.get(part.capture);
  const count =
    capture?.kind === "integer" || (capture?.kind === "time" && form === "request") ? capture.get(context) : undefined;
  if (typeof count !== "bigint") return false;
  return count === 0n || count >= (capture?.kind === "time" ? yearTenThousand : unlimitedThreshold);
}
