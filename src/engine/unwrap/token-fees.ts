import type { Address } from "../../kernel/address.ts";
import { transferCall, transferFromCall } from "../../kernel/token-standards.ts";
import type { ActorCall } from "../../model/match.ts";
import type { Movement, Transaction } from "../../model/transaction.ts";
import type { FeeHint } from "../../rules/ruleset/hints.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";
import { movementsOf } from "../normalize/movement-index.ts";
import type { GateKeeper } from "./gates.ts";
import { byTopic } from "./hint-index.ts";
import { asActor } from "./subject.ts";

export interface FeeWork {
  tx: Transaction;
  ruleset: Ruleset;
  gates: GateKeeper;
  calls: readonly ActorCall[];
}

/** Positions of gas paid in a token, by `fees` of the rules, refunds included. What an account sent by a call of its own is no fee. */
export function tokenFees(work: FeeWork): number[] {
  const { tx, ruleset, gates } = work;
  const hints = byTopic(ruleset.fees);
  if (!tx.logs.some(({ topics }) => hints.has(topics[0]))) return [];
  const told = new Set<Dealing>();
  const known = new Map<Address, Dealing[]>();
  const dealings = (payer: Address): readonly Dealing[] => {
    const found = known.get(payer) ?? dealingsOf(work, payer);
    known.set(payer, found);
    return found;
  };
  for (const log of tx.logs)
    for (const hint of hints.get(log.topics[0]) ?? []) {
      if (!gates.admits(hint.gate, log.address, tx.from)) continue;
      const args = hint.event.read(log.topics, log.data);
      const payer = asActor(args?.[hint.from]);
      if (args === undefined || payer === undefined) continue;
      const paid = feeOf(hint, args, dealings(payer));
      if (paid === undefined) continue;
      paid.cost += hint.cost === null ? 0n : (args[hint.cost] as bigint);
      paid.proven ||= hint.cost === null;
      told.add(paid);
    }
  return [...told].flatMap((one) => (one.proven || isGasMoney(one, tx) ? one.movements.map(({ index }) => index) : []));
}

/** A paymaster may charge this many times the gas cost: for its work, and a falling price. */
const costShare = 5n;
/** Always allowed, wei: some tenths of a dollar. */
const leastFee = 200_000_000_000_000n;

/** Unknown worth counts as sent. */
function isGasMoney({ token, net, cost }: Dealing, { etherWorth }: Transaction): boolean {
  const worth = etherWorth(token);
  if (worth === undefined) return false;
  const most = cost * costShare > leastFee ? cost * costShare : leastFee;
  return net * 10n ** 18n <= most * worth;
}

function feeOf(hint: FeeHint, args: readonly unknown[], all: readonly Dealing[]): Dealing | undefined {
  const collector = hint.to === null ? undefined : asActor(args[hint.to] as string);
  if (hint.to !== null && collector === undefined) return undefined;
  const [token, amount] = [hint.token, hint.amount].map((place) => (place === null ? undefined : args[place]));
  const dealings = all.filter(
    (one) =>
      (collector === undefined || one.collector === collector) &&
      (token === undefined || one.token === token) &&
      (amount === undefined ? one.paid > 0n && one.net >= 0n : one.net === amount && one.net > 0n),
  );
  // Gas is paid once, in one token: two tokens, or two accounts, prove nothing.
  return dealings.length === 1 ? dealings[0] : undefined;
}

/** With one account in one token, without own calls. */
interface Dealing {
  collector: Address;
  token: Address;
  paid: bigint;
  net: bigint;
  movements: Movement[];
  /** `cost`: wei of this payer's operations. `proven`: amount stated by a known contract. */
  cost: bigint;
  proven: boolean;
}

function dealingsOf({ tx, calls }: FeeWork, payer: Address): Dealing[] {
  const own = new OwnTransfers(tx, calls, payer);
  const found = new Map<string, Dealing>();
  for (const movement of movementsOf(tx.movements, payer)) {
    const { standard, token, from, to, amount } = movement;
    if (standard !== "erc20" || token === null || from === to || (from !== payer && to !== payer)) continue;
    const collector = from === payer ? to : from;
    if (own.called(collector) || (from === payer && own.sent(movement))) continue;
    const key = `${token}${collector}`;
    const dealing = found.get(key) ?? { collector, token, paid: 0n, net: 0n, movements: [], cost: 0n, proven: false };
    found.set(key, dealing);
    dealing.movements.push(movement);
    if (from === payer) dealing.paid += amount;
    dealing.net += from === payer ? amount : -amount;
  }
  return [...found.values()];
}

/** One movement a call. */
class OwnTransfers {
  readonly #tx: Transaction;
  readonly #account: Address;
  readonly #targets: ReadonlySet<Address | null>;
  readonly #sent: ReadonlySet<Movement>;

  constructor(tx: Transaction, calls: readonly ActorCall[], account: Address) {
    const own = calls.filter((call) => call.from === account && call.state !== "failed");
    this.#tx = tx;
    this.#account = account;
    this.#targets = new Set(own.map(({ to }) => to));
    this.#sent = sentBy(own, tx, account);
  }

  /** It may then have moved tokens for more than gas. */
  called(collector: Address): boolean {
    return this.#targets.has(collector);
  }

  sent(movement: Movement): boolean {
    return this.#sent.has(movement) || this.#traced(movement);
  }

  /** Possibly behind proxies. */
  #traced({ call, token }: Movement): boolean {
    let frame = this.#tx.calls[call];
    while (frame !== undefined && frame.kind === "delegatecall") frame = this.#tx.calls[frame.parent];
    return this.#tx.traced && frame !== undefined && frame.to === token && frame.from === this.#account;
  }
}

/** Exact amounts first; a call without a fixed one may move less, as gas may go before. */
function sentBy(own: readonly ActorCall[], { movements }: Transaction, account: Address): Set<Movement> {
  const [all, exact] = [new Map<string, number>(), new Map<string, number>()];
  for (const call of own) {
    const parties = `${call.to}${receiverOf(call, account)}`;
    addTo(all, parties, 1);
    addTo(exact, `${parties}${call.input.slice(-64)}`, 1);
  }
  const sent = new Set<Movement>();
  const take = (calls: Map<string, number>, keyOf: (movement: Movement, parties: string) => string): void => {
    for (const movement of movementsOf(movements, account)) {
      const parties = `${movement.token}${movement.to}`;
      const key = keyOf(movement, parties);
      if (movement.from !== account || sent.has(movement) || (calls.get(key) ?? 0) === 0) continue;
      addTo(calls, key, -1);
      if (calls !== all) addTo(all, parties, -1);
      sent.add(movement);
    }
  };
  take(exact, ({ amount }, parties) => `${parties}${amount.toString(16).padStart(64, "0")}`);
  take(all, (_movement, parties) => parties);
  return sent;
}

function addTo(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** undefined: other calls, other owners. */
function receiverOf({ input }: ActorCall, account: Address): string | undefined {
  const [second, third] = [`0x${input.slice(34, 74)}`, `0x${input.slice(98, 138)}`] as [Address, Address];
  if (input.startsWith(transferCall(second))) return second;
  return input.startsWith(transferFromCall(account, third)) ? third : undefined;
}
