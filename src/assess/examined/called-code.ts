import type { Address } from "../../kernel/address.ts";
import { selectorOf } from "../../kernel/hex.ts";
import type { ActorCall } from "../../model/match.ts";
import { isGrantCall } from "../grants/grant-call.ts";
import type { SubjectAct } from "../subject-act.ts";
import { type Entry, ranks } from "./entry.ts";

/** Selectors of EIP-20, EIP-721 and EIP-1155 that give no right: whoever calls them deals with somebody else than the token. */
const tokenSelectors: ReadonlySet<string> = new Set([
  "0xa9059cbb", // transfer(address,uint256)
  "0x23b872dd", // transferFrom(address,address,uint256)
  "0xa457c2d7", // decreaseAllowance(address,uint256)
  "0x42842e0e", // safeTransferFrom(address,address,uint256)
  "0xb88d4fde", // safeTransferFrom(address,address,uint256,bytes)
  "0xf242432a", // safeTransferFrom(address,address,uint256,uint256,bytes)
  "0x2eb2c2d6", // safeBatchTransferFrom
]);

/** What the principals called in the end, with the wrappers taken off. */
export function calledContracts(act: SubjectAct): Entry[] {
  const { tx, subject, calls, principals } = act;
  const own = new Set(principals);
  const parents = new Set(calls.map((call) => call.parent));
  const reverted = tx.status === "reverted";
  return calls
    .filter((call) => own.has(call.actor) && !parents.has(call.id) && (reverted || call.state !== "failed"))
    .flatMap((call): Entry[] => {
      if (call.to === null) return [];
      const common = { address: call.to, selector: selectorOf(call.input) ?? null, account: call.actor };
      const isListed = act.labels.token(call.to) !== undefined;
      if (looksLikeToken(call, act) && !call.delegate)
        return [{ ...common, role: "token", rank: isListed ? ranks.token : ranks.others }];
      return [{ ...common, role: "called", rank: call.actor === subject ? ranks.called : ranks.others }];
    });
}

/**
 * Whether a call is one of a token. The selector alone makes no token of a contract that nobody knows: nothing but that token may
 * have left the caller.
 */
function looksLikeToken({ to, input, value, actor }: ActorCall, { labels, tx, ruleset }: SubjectAct): boolean {
  if (!tokenSelectors.has(selectorOf(input) ?? "") && !isGrantCall(input, ruleset.grants)) return false;
  if (to === null || labels.token(to) !== undefined) return true;
  if (value > 0n) return false;
  return tx.movements.every((move) => move.from !== actor || move.token === to || move.fee);
}

/** Code that a principal's account ran as its own: such code can change the account. A proxy's own logic is no stranger's. */
export function delegatedCode({ tx, calls, principals }: SubjectAct): Entry[] {
  const own = new Set<Address>(principals);
  const entries: Entry[] = [];
  const add = (address: Address | null, account: Address, input: ActorCall["input"]): void => {
    if (address === null || address === account) return;
    entries.push({ address, role: "called", rank: ranks.power, account, selector: selectorOf(input) ?? null });
  };
  const parents = new Set(calls.map((call) => call.parent));
  for (const { id, delegate, step, from, to, state, input } of calls)
    if (delegate && step === null && state !== "failed" && own.has(from) && !parents.has(id)) add(to, from, input);
  for (const { ok, kind, from, to, parent, input } of tx.calls) {
    if (!ok || (kind !== "delegatecall" && kind !== "callcode") || !own.has(from)) continue;
    if (tx.calls[parent]?.input !== input) add(to, from, input);
  }
  return entries;
}
