import { describe, expect, it } from "vitest";
import { checksum, shorten } from "../../../src/kernel/address.ts";
import {
  alice,
  bob,
  carol,
  caseOf,
  frame,
  logOf,
  nftTransferLog,
  token,
  transferLog,
  usdc,
  vault,
  weth,
} from "../../support/case-of.ts";
import {
  answerTo,
  approvalLog,
  entryPoint,
  lawsBroken,
  movedEther,
  movedToken,
  movedUsdc,
  operationLog,
  recorded,
  taking,
  thousand,
  told,
  tracedCase,
} from "./scene.ts";

const swap = "0xcaefbd4ef9f6e3e4024ef4c30926b884884cbccd5293fc534d88c4a8cb2235fb";
const payment = "0x2cd6b4825b5ee40b703c947e15630336dceda97825b70412da54ccc27f484496";
const [a, b, c] = [alice, bob, carol].map(shorten);

/** Alice gives 1,000 USDC to Bob. */
const gift = caseOf({ receipt: { logs: [transferLog(usdc, alice, bob, thousand)] } });
const entry = movedUsdc(alice, bob, thousand);

describe("law 2: the headline", () => {
  it("is broken if the sender lost something and neither the sender nor the loss is told", () => {
    expect(lawsBroken(gift, told(`${c} got a badge.`, [entry]))).toEqual([2, 3]);
    expect(lawsBroken(recorded(swap), { ...answerTo(recorded(swap)), summary: `${c} got a badge.` })).toEqual([2, 3]);
    const right = caseOf({ receipt: { logs: [approvalLog(usdc, alice, bob, 5n)] } });
    expect(lawsBroken(right, told(`${c} got a badge.`))).toEqual([2, 5]);
  });

  it("is kept if one of them is told, or the sender lost nothing", () => {
    expect(lawsBroken(recorded(swap), answerTo(recorded(swap)))).toEqual([]);
    expect(lawsBroken(recorded(payment), answerTo(recorded(payment)))).toEqual([]);
    expect(lawsBroken(gift, told(`${b} received 1,000 USDC.`, [entry]))).toEqual([]);
    expect(lawsBroken(caseOf(), told(`${c} got a badge.`))).toEqual([]);
  });
});

describe("law 3: a loss", () => {
  const summary = (amount: string) => told(`${a} sent ${amount} to ${b}.`, [entry]);

  it("is told by its amount, rounded or in parts", () => {
    for (const amount of ["1,000 USDC", "999.9996 USDC", "400 USDC and 600 USDC", "all its USDC"])
      expect([amount, lawsBroken(gift, summary(amount))]).toEqual([amount, []]);
  });

  it("is not told by another amount, by another token of that name, or by a number without its asset", () => {
    const stranger = `1,000 "USDC" (${shorten(token)})`;
    for (const amount of ["900 USDC", "1,100 USDC", "1,000 USDCx", stranger, "1,000 ETH", "something (1,000)"])
      expect([amount, lawsBroken(gift, summary(amount))]).toEqual([amount, [3]]);
  });

  it("must be listed exactly, no matter how much the answer says is missing", () => {
    const partial = { partial: true };
    const text = `${a} sent 1,000 USDC to ${b}.`;
    expect(lawsBroken(gift, told(text, []))).toEqual([3]);
    expect(lawsBroken(gift, told(text, [movedUsdc(alice, bob, thousand - 1n)], partial))).toEqual([3]);
    expect(lawsBroken(gift, told(text, [movedUsdc(bob, alice, thousand)], partial))).toEqual([3]);
    const halves = [movedUsdc(alice, carol, thousand / 2n), movedUsdc(alice, bob, thousand / 2n)];
    expect(lawsBroken(gift, told(text, halves))).toEqual([]);
  });

  it("may be left out of the summary if the summary says that assets of the sender are left out", () => {
    const partial = { partial: true };
    for (const hint of ["5 more assets", "1,000 USDC sent is not explained", "Not everything was read: 3 logs."])
      expect(lawsBroken(gift, told(`${a} called ${b}. ${hint}.`, [entry], partial))).toEqual([]);
    const others = told(`${a} called ${b}. 63 movements are not listed.`, [entry], partial);
    expect(lawsBroken(gift, others)).toEqual([3]);
    expect(lawsBroken(gift, told(`${a} called ${b}.`, [entry], partial))).toEqual([3]);
  });

  it("of a listed token must come before one of a stranger's token", () => {
    const junk = { symbol: "JUNK", address: token, decimals: 0 };
    const logs = [transferLog(token, alice, carol, 7n), transferLog(usdc, alice, bob, thousand)];
    const file = caseOf({ receipt: { logs } });
    const moved = [movedToken(junk, alice, carol, 7n), entry];
    const parts = { partial: true };
    const hidden = told(`${a} sent 7 "JUNK" (${shorten(token)}) and 1 more asset.`, moved, parts);
    expect(lawsBroken(file, hidden)).toEqual([3]);
    expect(lawsBroken(file, told(`${a} sent 1,000 USDC and 1 more asset.`, moved, parts))).toEqual([]);
  });

  it("is net of what came back, and ether and wrapped ether are one", () => {
    const back = caseOf({ receipt: { logs: [...gift.receipt.logs, transferLog(usdc, bob, alice, thousand)] } });
    expect(lawsBroken(back, told(`${a} called ${b}.`))).toEqual([]);
    const wrap = logOf(weth, "event Deposit(address indexed dst, uint256 wad)", { dst: alice, wad: 10n ** 18n });
    const onward = transferLog(weth, alice, bob, 10n ** 18n);
    const file = tracedCase([frame(vault, weth, { value: "0xde0b6b3a7640000" })], {
      transaction: { value: "0xde0b6b3a7640000" },
      receipt: { logs: [wrap, onward] },
    });
    expect(lawsBroken(file, told(`${a} sent 1 WETH to ${b}.`, [movedEther(alice, vault, 10n ** 18n)]))).toEqual([]);
    expect(lawsBroken(file, told(`${a} called ${b}.`, [movedEther(alice, vault, 10n ** 18n)]))).toEqual([3]);
  });

  it("of ether may have come back unseen without a list of transfers, if the answer says so", () => {
    const file = caseOf({ transaction: { value: "0xde0b6b3a7640000" } });
    expect(lawsBroken(file, told(`${a} called ${b}.`, [], { partial: true }))).toEqual([]);
    expect(lawsBroken(file, told(`${a} called ${b}.`))).toEqual([3]);
  });

  it("of an account behind an EntryPoint counts, and its gas does not", () => {
    const logs = [operationLog(entryPoint, bob), transferLog(usdc, bob, carol, thousand)];
    const prefund = frame(bob, entryPoint, { value: "0x5" });
    const file = tracedCase([prefund], { receipt: { logs } });
    const moved = [movedUsdc(bob, carol, thousand)];
    expect(lawsBroken(file, told(`${b} sent 1,000 USDC to ${c}.`, moved))).toEqual([]);
    expect(lawsBroken(file, told(`${a} called ${c}.`, moved))).toEqual([3]);
  });

  it("of an account in a bundle may be covered by the number of operations, but not that of the sender", () => {
    const operations = [operationLog(entryPoint, bob), operationLog(entryPoint, vault)];
    const bundle = (from: string) =>
      caseOf({
        transaction: { to: entryPoint },
        receipt: { logs: [transferLog(usdc, from, carol, thousand), ...operations] },
      });
    const answer = (from: string) =>
      told(`${a} submitted a bundle of 2 user operations.`, [movedUsdc(from, carol, thousand)]);
    expect(lawsBroken(bundle(bob), answer(bob))).toEqual([]);
    expect(lawsBroken(bundle(alice), answer(alice))).toEqual([3]);
  });

  it("of an owner who got nothing for it is told with the owner", () => {
    const logs = [transferLog(usdc, bob, alice, thousand)];
    const file = tracedCase([taking(vault, usdc, bob, alice, thousand)], { receipt: { logs } });
    const moved = [movedUsdc(bob, alice, thousand)];
    expect(lawsBroken(file, told(`${a} called ${c}, receiving 1,000 USDC.`, moved))).toEqual([3]);
    expect(lawsBroken(file, told(`${a} took 1,000 USDC of ${b}.`, moved))).toEqual([]);
  });

  it("of an NFT is told by its number or its collection", () => {
    const file = caseOf({ receipt: { logs: [nftTransferLog(token, alice, bob, 42n)] } });
    const parties = { from: checksum(alice), to: checksum(bob), token_address: checksum(token) };
    const nft = { token: "APE", amount: "1", ...parties, token_id: "42", standard: "erc721" as const };
    expect(lawsBroken(file, told(`${a} sent "APE" #42 to ${b}.`, [nft]))).toEqual([]);
    expect(lawsBroken(file, told(`${a} sent "APE" #421 to ${b}.`, [nft]))).toEqual([3]);
    expect(lawsBroken(file, told(`${a} sent "APE" #42 to ${b}.`, [{ ...nft, token_id: "43" }]))).toEqual([3]);
  });

  it("does not exist if the transaction or the call reverted", () => {
    const reverted = caseOf({ ...gift, receipt: { ...gift.receipt, status: "0x0" } });
    expect(lawsBroken(reverted, told(`${a} called ${b}.`))).toEqual([]);
    const call = frame(vault, bob, { value: "0x5", error: "execution reverted" });
    expect(lawsBroken(tracedCase([call]), told(`${a} called ${b}.`))).toEqual([]);
  });

  it("of a burnt share is told by what came for it", () => {
    const nobody = `0x${"0".repeat(40)}`;
    const logs = [transferLog(vault, alice, nobody, 900n), transferLog(usdc, vault, alice, thousand)];
    const share = { symbol: "vUSDC", address: vault, decimals: 0 };
    const moved = [movedToken(share, alice, nobody, 900n), movedUsdc(vault, alice, thousand)];
    const file = caseOf({ receipt: { logs } });
    expect(lawsBroken(file, told(`${a} withdrew 1,000 USDC from a vault.`, moved))).toEqual([]);
    expect(lawsBroken(file, told(`${a} called a vault.`, moved))).toEqual([3]);
  });
});
