import type { Address } from "../../../src/kernel/address.ts";
import type { Hex } from "../../../src/kernel/hex.ts";
import { approve, eth, misc, usd } from "./calldata.ts";
import { at, call, who } from "./preview-world.ts";

/** A transaction that is previewed and then sent. */
export interface SentTransaction {
  /** Before the dash: its kind. */
  name: string;
  from: Address;
  to: Address | null;
  data?: Hex;
  value?: bigint;
  /** EIP-7702: what the sender's account delegates to. */
  delegate?: Address;
  gas?: bigint;
}

const { alice } = who;

/** What stands before the list begins. */
export const preparations: readonly Omit<SentTransaction, "name">[] = [
  ...[alice, at.account, at.otherAccount, at.safe, at.pool].map((owner) => ({
    ...{ from: alice, to: at.usdc, data: call("function mint(address to, uint256 value)", [owner, usd(1_000_000)]) },
  })),
  { from: alice, to: at.token, data: call("function mint(address to, uint256 value)", [alice, usd(500)]) },
  ...[at.feeToken, at.rebasing].map((token) => ({
    ...{ from: alice, to: token, data: call("function mint(address to, uint256 value)", [alice, usd(1_000)]) },
  })),
  { from: alice, to: at.weth, data: call("function deposit() payable"), value: eth("5") },
  ...[at.router, at.vault, at.disperse, at.permit2].map((spender) => ({
    from: alice,
    to: at.usdc,
    data: approve(spender, usd(100_000)),
  })),
  { from: alice, to: at.weth, data: approve(at.router, eth("3")) },
  { from: alice, to: at.multi, data: misc("mint(address to, uint256 id, uint256 value)", [alice, 6n, 4n]) },
  { from: alice, to: at.nft, data: misc("mint(uint256 id) payable", [1n]) },
  { from: alice, to: at.nft, data: misc("mint(uint256 id) payable", [2n]) },
  { from: alice, to: at.nft, data: misc("mint(uint256 id) payable", [3n]) },
];
