import { findPayouts } from "../../../src/engine/settle/payouts/payouts.ts";
import { type Address, toAddress } from "../../../src/kernel/address.ts";
import { tierRank } from "../../../src/rules/ruleset/actions.ts";
import { alice, usdc, vault, weth } from "../../support/case-of.ts";

export const stranger = toAddress(`0x${"5e".repeat(20)}`);
export const other = toAddress(`0x${"5f".repeat(20)}`);
export const pool = toAddress(`0x${"9b".repeat(20)}`);

export const move = (from: Address, to: Address, amount: bigint, of: Address | null = usdc, more: object = {}) => ({
  ...{ standard: of === null ? "native" : "erc20", token: of, tokenId: null, from, to, amount, log: -1, call: -1 },
  ...{ fee: false, basis: "log", ...more },
});
export type Made = ReturnType<typeof move>;
export const assetOf = (key: Address) => ({ key, token: key, movements: [0] });
export const givesWeth = { gives: [assetOf(weth)], gets: [], complete: true };

export interface Parts {
  moves?: Made[];
  tx?: object;
  flow?: object;
  rule?: object;
  context?: object;
  /** Contracts with a name. */
  known?: readonly Address[];
  /** What the act tells. */
  movements?: number[];
  /** What other acts of the account tell. */
  others?: readonly { movements: number[] }[];
  /** Frames of the account's calls, with what each called. */
  leaves?: readonly { to: Address; frame: number }[];
}

export const given = move(alice, vault, 5n, weth);
export const paid = move(vault, stranger, 2n);

/** The payouts: who got how much instead of alice. By default she gave ether to a contract, which wrapped it. */
export function payouts({
  moves = [given, paid],
  tx = {},
  flow = {},
  rule = {},
  context = {},
  known = [],
  others = [],
  movements: told = [],
  leaves,
}: Parts = {}) {
  const movements = moves.map((one, index) => ({ ...one, index }));
  const facts = { status: "success", from: alice, to: vault, movements, calls: [], logs: [], nativeComplete: true };
  const sets = { weth: new Set([weth]), listed: new Set([usdc, weth]), etherWorth: () => undefined };
  const action = {
    rule: { tier: tierRank("flow"), actsFor: null, exchanges: false, specificity: { place: 0 }, flow: {}, ...rule },
    movements: told,
    context: { ...{ subject: alice, target: vault, log: null, legs: [] }, ...context, flow: { ...givesWeth, ...flow } },
  };
  const further = { ...action, rule: { ...action.rule, specificity: { place: 3 }, legs: [{}] } };
  const labels = {
    name: (address: Address) => (known.includes(address) ? "known" : undefined),
    token: () => undefined,
  };
  const given = {
    tx: { ...facts, ...sets, ...tx },
    labels,
    leaves: leaves ?? [{ to: action.context.target, frame: 0 }],
  };
  const actions = [action, ...others.map((one) => ({ ...further, ...one }))];
  const claimed = new Set(actions.flatMap((one) => one.movements));
  const found = findPayouts(actions as never, given as never, claimed);
  return found.map(({ account, payee, assets }) => [account, payee, ...assets.map(({ amount }) => amount)]);
}
