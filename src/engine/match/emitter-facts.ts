import type { Address } from "../../kernel/address.ts";
import type { MatchContext } from "../../model/match.ts";
import type { Log, Transaction } from "../../model/transaction.ts";
import { gateMembers } from "../../rules/ruleset/compile/gate.ts";
import { valueAt } from "../../rules/ruleset/grant-table.ts";
import type { SubjectHint } from "../../rules/ruleset/hints.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";
import { frameEnd } from "../unwrap/call-tree.ts";
import type { GateKeeper } from "../unwrap/gates.ts";
import { byTopic } from "../unwrap/hint-index.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";

/** Whether the contract was being made (`isBirth`), and whether an account called it (`mayCall`). Lazy. */
export function emitterFacts(
  { tx, calls }: Pick<Unwrapped, "tx" | "calls">,
  { accounts, subjects, precompiles }: Pick<Ruleset, "accounts" | "subjects" | "precompiles">,
  gates: GateKeeper,
): Pick<MatchContext, "isBirth" | "mayCall"> {
  let begun: ReadonlyMap<Address, number> | undefined;
  let announced: ReadonlyMap<Address, number> | undefined;
  let making: ReadonlyMap<Address, number> | undefined;
  let ends: Map<number, number> | undefined;
  let called: ReadonlySet<string> | undefined;
  return {
    isBirth({ address, index, call }) {
      announced ??= announcements(tx, { accounts, subjects }, gates);
      making ??= makers(tx);
      ends ??= new Map();
      const maker = making.get(address) ?? Number.POSITIVE_INFINITY;
      if (call >= maker && !ends.has(maker)) ends.set(maker, frameEnd(tx.calls, maker));
      const inside = call >= maker && call < (ends.get(maker) as number);
      if (inside || index < (announced.get(address) ?? 0)) return true;
      begun ??= begunIn(tx, precompiles);
      return index > (begun.get(address) ?? Number.POSITIVE_INFINITY) && !isOfOwnCall({ tx, calls }, address, call);
    },
    mayCall(account, contract, known = false) {
      // A sender without code made only the transaction's own call.
      if (!tx.traced && account === tx.from && tx.to !== tx.from) return contract === tx.to;
      if (!tx.traced) {
        const own = calls.filter(({ from, state }) => from === account && state !== "failed");
        // An account that called only itself, or nothing known, may have called it.
        return own.some(({ to }) => to === contract) || (!known && own.every(({ to }) => to === account));
      }
      called ??= new Set(tx.calls.flatMap(({ kind, ok, from, to }) => (kind === "call" && ok ? `${from}${to}` : [])));
      return called.has(`${account}${contract}`);
    },
  };
}

/** Log index by account. An EntryPoint announces an account before it acts, so that one counts. */
function announcements(
  tx: Transaction,
  { accounts, subjects }: Pick<Ruleset, "accounts" | "subjects">,
  gates: GateKeeper,
): Map<Address, number> {
  const found = new Map<Address, number>();
  const complete = new Map<Address, number>();
  const acting = new Set(namedIn(tx, subjects, gates).map(({ account, log }) => `${log.address}${account}`));
  for (const { account, log } of namedIn(tx, accounts.makers, gates)) {
    found.set(account, Math.max(log.index, found.get(account) ?? 0));
    if (acting.has(`${log.address}${account}`) && !complete.has(account)) complete.set(account, log.index);
  }
  return new Map([...found, ...complete]);
}

/** Log in which its factory, a precompile too, begins to create it. What follows belongs to it until it is called. */
function begunIn({ logs }: Transaction, precompiles: Ruleset["precompiles"]): Map<Address, number> {
  const found = new Map<Address, number>();
  for (const { proofs } of precompiles.flatMap(gateMembers))
    for (const proof of proofs)
      for (const { topics, address, data, index } of proof.kind === "created" ? logs : []) {
        if (proof.kind !== "created" || topics[0] !== proof.event.hash || !proof.factories.has(address)) continue;
        const made = proof.event.read(topics, data)?.[proof.argument] as Address | undefined;
        if (made !== undefined) found.set(made, index);
      }
  return found;
}

/** As far as it is seen. */
function isOfOwnCall({ tx, calls }: Pick<Unwrapped, "tx" | "calls">, address: Address, frame: number): boolean {
  if (!tx.traced) return calls.some(({ to, state }) => to === address && state !== "failed");
  return frame < 0 ? tx.calls.some(({ ok, to }) => ok && to === address) : tx.calls[frame]?.to === address;
}

/** By events of known contracts. */
function namedIn(tx: Transaction, hints: readonly SubjectHint[], gates: GateKeeper): { account: Address; log: Log }[] {
  const events = byTopic(hints);
  return tx.logs.flatMap((log) =>
    (events.get(log.topics[0]) ?? []).flatMap(({ event, gate, argument }) => {
      if (!gates.admits(gate, log.address, tx.from)) return [];
      const account = valueAt(event.read(log.topics, log.data), argument) as Address | undefined;
      return account === undefined ? [] : [{ account, log }];
    }),
  );
}

/** Frame of the maker, by new contract. */
function makers({ calls }: Transaction): Map<Address, number> {
  const found = new Map<Address, number>();
  for (const { ok, to, kind, parent, index } of calls)
    if (ok && to !== null && kind.startsWith("create")) found.set(to, parent < 0 ? index : parent);
  return found;
}
