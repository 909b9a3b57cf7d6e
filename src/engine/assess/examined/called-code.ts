import type { Address } from "../../../kernel/address.ts";
import { selectorOf } from "../../../kernel/hex.ts";
import { movingSelectors } from "../../../kernel/token-standards.ts";
import type { ActorCall } from "../../../model/match.ts";
import { givesRights } from "../../unwrap/subject.ts";
import { isGrantCall } from "../grants/grant-call.ts";
import type { SubjectAct } from "../subject-act.ts";
import { type Entry, ranks } from "./entry.ts";

/** With wrappers taken off. */
export function calledContracts(act: SubjectAct): Entry[] {
  const { tx, subject, calls, principals } = act;
  const parents = parentsOf(calls);
  const reverted = tx.status === "reverted";
  const entries: Entry[] = [];
  for (const call of calls) {
    const { id, to, actor } = call;
    if (to === null || !principals.has(actor) || (!reverted && call.state === "failed")) continue;
    if (parents.has(id) ? isProvenWrapper(to, act) : to === subject) continue;
    const common = { address: to, account: actor, selector: selectorOf(call.input) ?? null };
    if (looksLikeToken(call, act) && !call.delegate) {
      const isListed = act.labels.token(to) !== undefined;
      entries.push({ ...common, role: "token", rank: isListed ? ranks.token : ranks.others });
    } else entries.push({ ...common, role: "called", rank: actor === subject ? ranks.called : ranks.others });
  }
  return entries;
}

function parentsOf(calls: readonly ActorCall[]): ReadonlySet<number> {
  return calls.length < 2 ? noCalls : new Set(calls.map((call) => call.parent));
}

const noCalls: ReadonlySet<number> = new Set();

/** Known, or an account of a principal. The functions alone prove nothing: anybody can write them. */
function isProvenWrapper(address: Address, act: SubjectAct): boolean {
  if (act.labels.name(address) !== undefined) return true;
  return act.principals.has(address) && isProvenAccount(address, act);
}

/** Sent the transaction, gave assets or a right, wrote a log, or runs code of known accounts. */
function isProvenAccount(address: Address, { tx, file, ruleset, labels }: SubjectAct): boolean {
  if (address === tx.from || tx.movements.some((move) => move.from === address) || givesRights(tx, address))
    return true;
  const logic = file.risk?.verification[address]?.logic ?? [];
  if (logic.some((one) => one !== address && labels.name(one) !== undefined)) return true;
  if (tx.logs.some((log) => log.address === address)) return true;
  return tx.calls.some(
    ({ kind, from, to }) => kind === "delegatecall" && from === address && to !== null && ruleset.accounts.code.has(to),
  );
}

/**
 * A call of a token's own function. Anybody can write such functions, so at an unknown contract it must carry no ether, and nothing but
 * this token may have left the caller.
 */
function looksLikeToken({ to, input, value, actor }: ActorCall, { labels, tx, ruleset }: SubjectAct): boolean {
  if (!movingSelectors.has(selectorOf(input) ?? "") && !isGrantCall(input, ruleset.grants)) return false;
  if (to === null || labels.token(to) !== undefined) return true;
  if (value > 0n) return false;
  return tx.movements.every((move) => move.from !== actor || move.token === to || move.fee);
}

/** Code run as a principal's account, which it can change. Without the code behind a proxy, which gets the proxy's calldata. */
export function delegatedCode({ tx, calls, principals }: SubjectAct): Entry[] {
  if (!tx.traced && !calls.some(({ delegate }) => delegate)) return [];
  const entries: Entry[] = [];
  const add = (address: Address | null, account: Address, input: ActorCall["input"]): void => {
    if (address === null || address === account) return;
    entries.push({ address, role: "called", rank: ranks.power, account, selector: selectorOf(input) ?? null });
  };
  const parents = parentsOf(calls);
  for (const { id, delegate, step, from, to, state, input } of calls)
    if (delegate && step === null && state !== "failed" && principals.has(from) && !parents.has(id))
      add(to, from, input);
  for (const { ok, kind, from, to, parent, input } of tx.calls) {
    if (!ok || (kind !== "delegatecall" && kind !== "callcode") || !principals.has(from)) continue;
    if (tx.calls[parent]?.input !== input) add(to, from, input);
  }
  return entries;
}
