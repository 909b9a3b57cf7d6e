import { type Address, readAddress, zeroAddress } from "../../../kernel/address.ts";
import type { MatchContext } from "../../../model/match.ts";
import type { Value } from "../../../rules/abi/abi-type.ts";
import type { HeldCallSource } from "../../../rules/ruleset/compiled.ts";

/** Inside a message or another call. */
export interface HeldCall {
  from: Address;
  to: Address;
  value: bigint;
  data: string;
}

/** By `carries`; without values that are no call. */
export function heldCalls(carried: HeldCallSource, context: MatchContext): HeldCall[] {
  if (carried.each === null) return callOf(carried, context);
  const items = (carried.each(context) as Value[] | undefined) ?? [];
  return items.flatMap((item) => callOf(carried, { ...context, item } as MatchContext));
}

function callOf(carried: HeldCallSource, context: MatchContext): HeldCall[] {
  const [from, to] = [readAddress(carried.from(context)), readAddress(carried.to(context))];
  const data = carried.data(context);
  const value = carried.value === null ? 0n : carried.value(context);
  if (from === undefined || from === zeroAddress || to === undefined || typeof data !== "string") return [];
  return [{ from, to, value: typeof value === "bigint" ? value : 0n, data }];
}
