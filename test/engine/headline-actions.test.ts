import { describe, expect, it } from "vitest";
import { shorten } from "../../src/kernel/address.ts";
import type { RpcLog } from "../../src/model/case-file.ts";
import { alice, bob, calldata, carol, logOf, token, transferLog, usdc, vault, weth } from "../support/case-of.ts";
import { execute, userOperation, userOperationEvent } from "../support/envelopes.ts";
import { explain, logs, unknownCall } from "./shipped-answer.ts";

const approval = (of: string, owner: string, spender: string, value: bigint) =>
  logOf(of, "event Approval(address indexed owner, address indexed spender, uint256 value)", { owner, spender, value });
const approve = (spender: string, value: bigint) =>
  calldata("function approve(address spender, uint256 value)", [spender, value]);
const max = 2n ** 256n - 1n;

describe("what was taken from somebody else", () => {
  it("is told, and a little that was sent to him in return does not hide it", () => {
    const taken = transferLog(usdc, bob, carol, 1_000_000_000n);
    const explained = (...more: RpcLog[]) =>
      explain({ transaction: { input: unknownCall }, ...logs(taken, ...more) }).summary;
    const told = `${shorten(bob)} sent 1,000 USDC to ${shorten(carol)}`;
    expect(explained()).toContain(`${told}.`);
    expect(explained(transferLog(weth, vault, bob, 10n ** 12n))).toContain(`${told} and received 0.000001 WETH.`);
  });
});

describe("what is no swap", () => {
  it("a round trip of one asset", () => {
    const there = transferLog(usdc, alice, vault, 10n);
    const back = transferLog(usdc, vault, alice, 10n);
    expect(explain({ transaction: { input: unknownCall }, ...logs(there, back) }).action_type).toBe(
      "contract_interaction",
    );
  });

  it("two transfers in one direction", () => {
    const sent = [transferLog(usdc, alice, vault, 10n), transferLog(weth, alice, vault, 10n)];
    expect(explain({ transaction: { input: unknownCall }, ...logs(...sent) }).action_type).not.toBe("swap");
  });

  it("a stranger's Swap and Mint events in a plain transfer: a token's tax is not the user's trade", () => {
    const swap =
      "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)";
    const answer = explain({
      transaction: { to: token, input: calldata("function transfer(address to, uint256 value)", [bob, 100n]) },
      ...logs(
        transferLog(token, alice, token, 5n),
        transferLog(token, token, carol, 5n),
        logOf(carol, swap, { sender: token, amount0In: 5n, amount1In: 0n, amount0Out: 0n, amount1Out: 1n, to: token }),
        logOf(carol, "event Mint(address indexed sender, uint256 amount0, uint256 amount1)", {
          sender: token,
          amount0: 1n,
          amount1: 1n,
        }),
        transferLog(token, alice, bob, 95n),
      ),
    });
    expect(answer.action_type).toBe("erc20_transfer");
  });
});

describe("what is a swap", () => {
  it("is told once, though an event and two transfers speak of it", () => {
    const exchanged = [transferLog(usdc, alice, vault, 1_000_000n), transferLog(weth, vault, alice, 10n ** 15n)];
    const { action_type, summary } = explain({ transaction: { input: unknownCall }, ...logs(...exchanged) });
    expect(action_type).toBe("swap");
    expect(summary).toBe(`${shorten(alice)} swapped 1 USDC for 0.001 WETH.`);
  });

  it("is the smart account's own, in a bundle of one operation", () => {
    const input = userOperation(bob, execute(vault, 0n, unknownCall));
    const { action_type, summary } = explain({
      transaction: { to: "0x0000000071727de22e5e9d8baf0edac6f37da032", input },
      ...logs(
        transferLog(usdc, bob, vault, 1_000_000n),
        transferLog(weth, vault, bob, 10n ** 15n),
        userOperationEvent(bob),
      ),
    });
    expect(action_type).toBe("swap");
    expect(summary).toContain(`${shorten(bob)} swapped 1 USDC for 0.001 WETH`);
  });
});

describe("what a name or selector cannot decide", () => {
  it("data sent to an account without code is no token transfer", () => {
    const input = calldata("function transfer(address to, uint256 value)", [carol, 5n]);
    const zeros = (input.slice(2).match(/../g) ?? []).filter((byte) => byte === "00").length;
    const gasUsed = `0x${(21_000 + zeros * 4 + ((input.length - 2) / 2 - zeros) * 16).toString(16)}`;
    const answer = explain({ transaction: { to: bob, input, value: "0x5" }, receipt: { gasUsed, logs: [] } });
    expect(answer.action_type).toBe("eth_transfer");
    expect(answer.summary).toBe(`${shorten(alice)} sent 5 wei of ETH to ${shorten(bob)}.`);
  });

  it("value with an unknown call is no plain ether transfer", () => {
    const receipt = { gasUsed: "0xffff", logs: [logOf(vault, "event Odd(uint256 x)", { x: 1n })] };
    const { action_type, summary } = explain({ transaction: { input: unknownCall, value: "0x5" }, receipt });
    expect(action_type).toBe("contract_interaction");
    expect(summary).toContain("called");
  });

  it.each([
    "function claim()",
    "function unstake()",
    "function withdraw()",
    "function deposit()",
    "function bridge()",
    "function mint()",
  ])("%s of an unknown contract that takes tokens is neither claim, stake nor bridge", (signature) => {
    const taken = transferLog(usdc, alice, vault, 5n);
    expect(explain({ transaction: { input: calldata(signature) }, ...logs(taken) }).action_type).toBe(
      "contract_interaction",
    );
  });

  it("a reverted mint of an unknown contract was no NFT", () => {
    const input = calldata("function mint(address to, uint256 amount)", [alice, 5n]);
    const { action_type } = explain({ transaction: { input }, receipt: { status: "0x0", logs: [] } });
    expect(action_type).not.toBe("nft_mint");
  });

  it("a forged user operation does not hide what the sender gave", () => {
    const { action_type, summary } = explain({
      transaction: { input: unknownCall },
      ...logs(transferLog(usdc, alice, carol, 5_000_000n), userOperationEvent(bob, { at: vault })),
    });
    expect(action_type).toBe("contract_interaction");
    expect(summary).toContain(`${shorten(alice)} called ${shorten(vault)}, giving 5 USDC`);
  });
});

describe("approvals", () => {
  it("of a router for itself are not the user's", () => {
    const exchanged = [
      transferLog(usdc, alice, vault, 1_000_000n),
      approval(usdc, vault, carol, max),
      transferLog(weth, vault, alice, 300_000_000_000_000n),
    ];
    const { action_type, summary } = explain({ transaction: { input: unknownCall }, ...logs(...exchanged) });
    expect(action_type).toBe("swap");
    expect(summary).not.toMatch(/allow/);
  });

  it("unlimited ones are said to be", () => {
    const { action_type, summary } = explain({
      transaction: { to: usdc, input: approve(bob, max) },
      ...logs(approval(usdc, alice, bob, max)),
    });
    expect(action_type).toBe("erc20_approval");
    expect(summary).toBe(`${shorten(alice)} allowed ${shorten(bob)} to spend unlimited USDC.`);
  });

  it("to zero are revocations, tried ones too", () => {
    const revoked = explain({
      transaction: { to: usdc, input: approve(bob, 0n) },
      ...logs(approval(usdc, alice, bob, 0n)),
    });
    expect(revoked.action_type).toBe("approval_revoked");
    const tried = explain({ transaction: { to: usdc, input: approve(bob, 0n) }, receipt: { status: "0x0", logs: [] } });
    expect(tried.action_type).toBe("approval_revoked");
    expect(tried.summary).toContain("tried to revoke");
  });

  it("a reset before the real one is not the headline", () => {
    const batch = calldata("function executeBatch((address target, uint256 value, bytes data)[] calls)", [
      [
        { target: usdc, value: 0n, data: approve(bob, 0n) },
        { target: usdc, value: 0n, data: approve(bob, max) },
      ],
    ]);
    const { action_type, summary } = explain({
      transaction: { from: alice, to: alice, input: batch },
      ...logs(approval(usdc, alice, bob, 0n), approval(usdc, alice, bob, max)),
    });
    expect(action_type).toBe("erc20_approval");
    expect(summary).toContain("to spend unlimited USDC");
  });
});
