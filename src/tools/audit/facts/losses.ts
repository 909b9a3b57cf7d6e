import type { Address } from "../../../kernel/address.ts";
import type { Knowledge } from "../knowledge.ts";
import type { Facts, Holding, Move } from "./facts.ts";
import { operatedAccounts } from "./principals.ts";

/** What an account has less of one asset, net and without gas. */
export interface NetLoss extends Holding {
  account: Address;
  /** Base units, above zero. */
  net: bigint;
  /** Before what came back is subtracted. */
  gross: bigint;
  /** In order. */
  outflows: Move[];
}

/** One for each asset, in the order in which they began. */
export function lossesOf(account: Address, facts: Facts, knowledge: Knowledge): NetLoss[] {
  const holdings = new Map<string, { net: bigint; outflows: Move[] }>();
  for (const move of facts.moves) {
    if ((move.from !== account && move.to !== account) || isGas(move, facts, knowledge)) continue;
    const holding = holdings.get(move.key) ?? { net: 0n, outflows: [] };
    holdings.set(move.key, holding);
    if (move.from === account) holding.outflows.push(move);
    holding.net += move.from === account ? move.amount : -move.amount;
  }
  return [...holdings.values()].flatMap(({ net, outflows }) => {
    const [first] = outflows;
    if (net <= 0n || first === undefined) return [];
    const { key, token, id } = first;
    return [{ key, token, id, account, net, gross: sumOf(outflows), outflows }];
  });
}

/** Received minus given, by asset key; positive only. */
export function gainsOf(account: Address, { moves }: Facts): Map<string, bigint> {
  const nets = new Map<string, bigint>();
  for (const { key, amount, from, to } of moves) {
    if (to === account) nets.set(key, (nets.get(key) ?? 0n) + amount);
    if (from === account) nets.set(key, (nets.get(key) ?? 0n) - amount);
  }
  return new Map([...nets].filter(([, net]) => net > 0n));
}

export function sumOf(moves: readonly { amount: bigint }[]): bigint {
  return moves.reduce((sum, { amount }) => sum + amount, 0n);
}

/** Ether that an account pays the EntryPoint for its own operation. */
function isGas({ token, from, to }: Move, facts: Facts, knowledge: Knowledge): boolean {
  return token === null && knowledge.isEntryPoint(to) && operatedAccounts(facts, knowledge).includes(from);
}
