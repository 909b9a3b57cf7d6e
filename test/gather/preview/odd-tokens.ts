import { misc, transfer, usd } from "./calldata.ts";
import type { SentTransaction } from "./preparations.ts";
import { at, who } from "./preview-world.ts";

const { alice, bob } = who;

/** Transactions of tokens whose balances differ from what their events say. */
export const oddTokenTransactions: readonly SentTransaction[] = [
  { name: "fee token - transfer", from: alice, to: at.feeToken, data: transfer(bob, usd(100)) },
  { name: "fee token - all to oneself", from: alice, to: at.feeToken, data: transfer(alice, usd(10)) },
  { name: "rebasing - transfer", from: alice, to: at.rebasing, data: transfer(bob, usd(40)) },
  { name: "rebasing - grows", from: alice, to: at.rebasing, data: misc("rebase()") },
  {
    ...{ name: "rebasing - grows with a transfer", from: alice, to: at.rebasing },
    data: misc("transferAndRebase(address to, uint256 value)", [bob, usd(7)]),
  },
];
