import { maxUint256, toHex } from "viem";
import type { Address } from "../../../src/kernel/address.ts";
import type { Hex } from "../../../src/kernel/hex.ts";
import {
  approve,
  batch,
  eth,
  executeBatch,
  executeOne,
  handleOps,
  misc,
  multicall,
  multicallValue,
  safeExec,
  swapEther,
  swapToEther,
  swapTokens,
  transfer,
  usd,
  zero,
} from "./calldata.ts";
import type { SentTransaction } from "./preparations.ts";
import { at, call, creationOf, who } from "./preview-world.ts";

const { alice, bob, carol } = who;

const own = (name: string, to: Address | null, data?: Hex, value?: bigint): SentTransaction => ({
  ...{ name, from: alice, to },
  ...(data === undefined ? {} : { data }),
  ...(value === undefined ? {} : { value }),
});

/** In the order in which they are sent. */
export const sentTransactions: readonly SentTransaction[] = [
  own("ether - to a person", bob, undefined, eth("1.5")),
  own("ether - to a contract that passes it on", at.misc, misc("forward(address to) payable", [bob]), eth("0.25")),
  own("ether - half of it comes back", at.misc, misc("half(address to) payable", [bob]), eth("0.5")),
  own("ether - to oneself", alice, undefined, eth("0.1")),
  own("ether - with a message", bob, toHex("thank you"), eth("0.01")),
  own("token - transfer", at.usdc, transfer(bob, usd(25))),
  own("token - an unlisted one", at.token, transfer(bob, usd(5))),
  own("token - all to oneself", at.usdc, transfer(alice, usd(1))),
  own("mint - tokens", at.token, call("function mint(address to, uint256 value)", [alice, usd(9)])),
  own("burn - tokens", at.usdc, misc("burn(uint256 value)", [usd(3)])),
  own("approval - exact", at.usdc, approve(bob, usd(12))),
  own("approval - unlimited", at.usdc, approve(at.router, maxUint256)),
  own("approval - more than there is", at.token, approve(bob, 10n ** 30n)),
  own("approval - raised", at.usdc, misc("increaseAllowance(address spender, uint256 addedValue)", [bob, usd(3)])),
  own("revoked - to nothing", at.usdc, approve(bob, 0n)),
  own("wrap - ether", at.weth, call("function deposit() payable"), eth("1")),
  own("wrap - by sending it", at.weth, undefined, eth("0.2")),
  own("unwrap - ether", at.weth, misc("withdraw(uint256 wad)", [eth("0.4")])),
  own("swap - tokens for ether", at.router, swapToEther(usd(100))),
  own("swap - ether for tokens", at.router, swapEther(), eth("0.3")),
  own("swap - tokens for tokens", at.router, swapTokens(usd(40), [at.usdc, at.weth])),
  own("swap - for somebody else", at.router, swapTokens(eth("0.1"), [at.weth, at.usdc], bob)),
  own("vault - deposit", at.vault, misc("deposit(uint256 assets, address receiver)", [usd(500), alice])),
  own("vault - deposit for another", at.vault, misc("deposit(uint256 assets, address receiver)", [usd(50), bob])),
  own(
    "vault - redeem",
    at.vault,
    misc("redeem(uint256 shares, address receiver, address owner)", [usd(200), alice, alice]),
  ),
  own(
    "permit2 - approve",
    at.permit2,
    misc("approve(address token, address spender, uint160 amount, uint48 expiration)", [
      at.usdc,
      bob,
      usd(7),
      1_900_000_000,
    ]),
  ),
  own(
    "permit2 - unlimited",
    at.permit2,
    misc("approve(address token, address spender, uint160 amount, uint48 expiration)", [
      at.usdc,
      at.router,
      2n ** 160n - 1n,
      1_900_000_000,
    ]),
  ),
  own(
    "permit2 - lockdown",
    at.permit2,
    misc("lockdown((address token, address spender)[] approvals)", [[{ token: at.usdc, spender: bob }]]),
  ),
  own("nft - mint", at.nft, misc("mint(uint256 id) payable", [10n])),
  own("nft - paid mint", at.nft, misc("mint(uint256 id) payable", [11n]), eth("0.02")),
  own("nft - transfer", at.nft, misc("safeTransferFrom(address from, address to, uint256 tokenId)", [alice, bob, 1n])),
  own("nft - approve one", at.nft, misc("approve(address approved, uint256 tokenId)", [bob, 2n])),
  own("nft - burn", at.nft, misc("burn(uint256 id)", [3n])),
  own("operator - allowed", at.nft, misc("setApprovalForAll(address operator, bool approved)", [bob, true])),
  own("operator - taken back", at.nft, misc("setApprovalForAll(address operator, bool approved)", [bob, false])),
  own("erc1155 - mint", at.multi, misc("mint(address to, uint256 id, uint256 value)", [alice, 5n, 3n])),
  own(
    "erc1155 - transfer",
    at.multi,
    misc("safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)", [
      alice,
      bob,
      5n,
      2n,
      "0x",
    ]),
  ),
  own(
    "erc1155 - batch",
    at.multi,
    misc("safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data)", [
      alice,
      bob,
      [5n, 6n],
      [1n, 1n],
      "0x",
    ]),
  ),
  own(
    "multicall - ether to two",
    at.multicall3,
    multicallValue([
      { target: bob, value: eth("0.1") },
      { target: carol, value: eth("0.2") },
    ]),
    eth("0.3"),
  ),
  own(
    "multicall - one call fails",
    at.multicall3,
    multicall([
      { target: at.usdc, data: transfer(bob, usd(1)), allowFailure: true },
      { target: at.usdc, data: approve(bob, 5n), allowFailure: true },
    ]),
  ),
  own("multicall - reverts", at.multicall3, multicall([{ target: at.usdc, data: transfer(bob, usd(1)) }])),
  own(
    "disperse - ether",
    at.disperse,
    misc("disperseEther(address[] recipients, uint256[] values) payable", [
      [bob, carol],
      [eth("0.1"), eth("0.3")],
    ]),
    eth("0.4"),
  ),
  own(
    "disperse - tokens",
    at.disperse,
    misc("disperseToken(address token, address[] recipients, uint256[] values)", [
      at.usdc,
      [bob, carol],
      [usd(2), usd(3)],
    ]),
  ),
  own("safe - ether", at.safe, safeExec(bob, eth("1"), "0x")),
  own("safe - tokens", at.safe, safeExec(at.usdc, 0n, transfer(bob, usd(77)))),
  own(
    "safe - new owner",
    at.safe,
    safeExec(at.safe, 0n, misc("addOwnerWithThreshold(address owner, uint256 threshold)", [carol, 1n])),
  ),
  own("safe - its call fails", at.safe, safeExec(at.misc, 0n, misc("plain()"))),
  own(
    "safe - delegatecall",
    at.safe,
    safeExec(at.multicall3, 0n, multicall([{ target: at.usdc, data: transfer(carol, usd(4)) }]), 1),
  ),
  own(
    "user operation - tokens",
    at.entryPoint,
    handleOps([{ sender: at.account, callData: executeOne(at.usdc, 0n, transfer(bob, usd(11))) }]),
  ),
  own(
    "user operation - ether",
    at.entryPoint,
    handleOps([{ sender: at.account, callData: executeOne(bob, eth("0.2"), "0x") }]),
  ),
  own(
    "user operation - fails",
    at.entryPoint,
    handleOps([{ sender: at.account, callData: executeOne(at.misc, 0n, misc("plain()")) }]),
  ),
  own(
    "user operation - batch",
    at.entryPoint,
    handleOps([
      {
        sender: at.account,
        callData: executeBatch([
          { target: at.usdc, data: approve(at.router, usd(9)) },
          { target: bob, value: eth("0.1") },
        ]),
      },
    ]),
  ),
  own(
    "bundle - two accounts",
    at.entryPoint,
    handleOps([
      { sender: at.account, callData: executeOne(at.usdc, 0n, transfer(bob, usd(1))) },
      { sender: at.otherAccount, callData: executeOne(at.usdc, 0n, transfer(carol, usd(2))) },
    ]),
  ),
  {
    ...own(
      "7702 - batch of approval and swap",
      alice,
      batch([
        { target: at.usdc, data: approve(at.router, usd(5)) },
        { target: at.router, data: swapToEther(usd(5)) },
      ]),
    ),
    delegate: at.delegate,
  },
  {
    ...own(
      "7702 - ether, then token",
      alice,
      batch([
        { target: bob, value: eth("0.5") },
        { target: at.usdc, data: transfer(bob, usd(7)) },
      ]),
    ),
    delegate: at.delegate,
  },
  { ...own("7702 - delegation alone", alice), delegate: at.delegate },
  own("delegated - a batch later", alice, batch([{ target: at.usdc, data: transfer(carol, usd(6)) }])),
  { ...own("7702 - cleared", alice), delegate: zero },
  own("creation - with ether", null, creationOf("Small"), 1n),
  own("creation - of a token", null, creationOf("Token")),
  own("creation - by a factory", at.misc, misc("make()")),
  own("call - a note", at.misc, misc("note(bytes32 what)", [toHex(7n, { size: 32 })])),
  own("call - a note with ether", at.misc, misc("note(bytes32 what) payable", [toHex(8n, { size: 32 })]), eth("0.03")),
  own("call - of an unknown function", at.usdc, "0x12345678"),
  own("proxy - a note behind it", at.proxy, misc("note(bytes32 what)", [toHex(9n, { size: 32 })])),
  own("revert - with a reason", at.misc, misc("plain()")),
  own("revert - custom error", at.misc, misc("custom()")),
  own("revert - division by zero", at.misc, misc("panic(uint256 by)", [0n])),
  own("revert - index", at.misc, misc("index()")),
  own("revert - silent", at.misc, misc("silent()")),
  { ...own("revert - out of gas", at.misc, misc("burnGas()")), gas: 300_000n },
  own("revert - swap below its least", at.router, swapToEther(usd(100), eth("9"))),
  own("revert - swap too late", at.router, swapEther(1n, 5n), eth("0.1")),
  own("revert - token beyond the balance", at.usdc, transfer(bob, usd(99_000_000))),
  own("take - by a contract with an allowance", at.misc, misc("take(address token, uint256 value)", [at.usdc, usd(1)])),
];
