import { describe, expect, it } from "vitest";
import type { Hex } from "../../../src/kernel/hex.ts";
import type { CaseFile, RpcLog } from "../../../src/model/case-file.ts";
import { alice, bob, calldata, carol, frame, logOf, traced, transferLog, usdc, zero } from "../../support/case-of.ts";
import { explain, logs, unknownCall } from "../shipped-answer.ts";

const endpoint = "0x1a44076050125825900e736c501f859c50fe728c";
const library = "0xb5320b0b3a13cc860893e2bd79fcd7e13484dda2";
const router = "0x881e3a65b4d4a04dd529061dd0071cf975f58bcd";
const micro = 10n ** 12n;
const ether = 10n ** 18n;
const hex = (value: bigint): Hex => `0x${value.toString(16)}`;

const packet = `0x01000000000000000100002105${"0".repeat(24)}${bob.slice(2)}0000759e${"0".repeat(24)}${carol.slice(2)}${"0".repeat(64)}01`;
const sent = logOf(endpoint, "event PacketSent(bytes encodedPayload, bytes options, address sendLibrary)", {
  ...{ encodedPayload: packet, options: "0x", sendLibrary: library },
});

/** What the library says that the executor and two verifiers get. */
function charged(executor: bigint, verifiers: readonly bigint[], at: string = library): RpcLog[] {
  return [
    logOf(at, "event ExecutorFeePaid(address executor, uint256 fee)", { executor: carol, fee: executor }),
    logOf(at, "event DVNFeePaid(address[] requiredDVNs, address[] optionalDVNs, uint256[] fees)", {
      ...{ requiredDVNs: [carol], optionalDVNs: [], fees: verifiers },
    }),
  ];
}

/** Alice calls bob's contract with ether, which sends a message. */
function message(value: bigint, events: readonly RpcLog[], trace?: CaseFile["trace"]): string {
  return explain({
    transaction: { to: bob, value: hex(value), input: unknownCall },
    ...logs(...events, sent),
    ...(trace && { trace }),
  }).summary;
}

describe("the fee of a message that a stranger's contract sends", () => {
  it("is what the library charged", () => {
    const summary = message(30n * micro, charged(10n * micro, [15n * micro, 5n * micro]));
    expect(summary).toMatch(/ through LayerZero, paying 0\.00003 ETH in fees\.$/);
    expect(summary).not.toContain("sent 0.00003 ETH");
  });

  it("is also known where nobody saw where the ether went", () => {
    const trace = { source: "none", reason: "no endpoint offers a trace" } as const;
    const summary = message(30n * micro, charged(10n * micro, [20n * micro]), trace);
    expect(summary).toContain(", paying 0.00003 ETH in fees. Ether moved inside");
  });

  it("is no more than what was charged: the rest is told as a payment", () => {
    const summary = message(ether, charged(10n * micro, [10n * micro]));
    expect(summary).toMatch(/, paying 0\.00002 ETH in fees\. It also sent 0\.99998 ETH to /);
  });

  it("is nothing where nobody, or an unknown contract, says that it charged something", () => {
    for (const events of [[], charged(10n * micro, [20n * micro], bob)])
      expect(message(30n * micro, events)).toMatch(/ It also sent 0\.00003 ETH to /);
  });

  it("is not believed where it is large: verifiers may be the stranger's own", () => {
    for (const beside of [[], [transferLog(usdc, alice, carol, 50_000_000_000n)]]) {
      const summary = message(ether / 2n, [...beside, ...charged(10n * micro, [ether / 2n - 10n * micro])]);
      expect(summary).toMatch(/ sent 0\.5 ETH to /);
      expect(summary).not.toContain("fees");
    }
  });

  it("is not what a call tree shows the stranger to have kept", () => {
    const value = 30n * micro;
    const events = charged(value, []);
    const kept = (passed: bigint) => {
      const calls = [
        frame(bob, endpoint, {
          ...{ value: hex(passed), input: "0x12345678" },
          calls: [frame(endpoint, library, { value: hex(passed), input: "0x12345678" })],
        }),
      ];
      return message(value, events, traced(frame(alice, bob, { value: hex(value), input: unknownCall, calls })));
    };
    expect(kept(value)).toContain(", paying 0.00003 ETH in fees");
    expect(kept(10n * micro)).toMatch(/, paying 0\.00001 ETH in fees\. It also sent 0\.00002 ETH to /);
    expect(kept(0n)).toMatch(/ It also sent 0\.00003 ETH to /);
  });
});

describe("ether beside tokens at a known bridge", () => {
  const send =
    "function ccipSend(uint64 destinationChainSelector, (bytes receiver, bytes data, (address token, uint256 amount)[] tokenAmounts, address feeToken, bytes extraArgs) message)";
  const bridge = (amount: bigint, value: bigint) => {
    const tokenAmounts = [{ token: usdc, amount }];
    const given = {
      receiver: `0x${"0".repeat(24)}${alice.slice(2)}`,
      data: "0x",
      tokenAmounts,
      feeToken: zero,
      extraArgs: "0x",
    };
    return explain({
      transaction: { to: router, value: hex(value), input: calldata(send, [5009297550715157269n, given]) },
      ...logs(transferLog(usdc, alice, carol, amount)),
    }).summary;
  };

  it("is the fee of the act", () => {
    expect(bridge(100_000_000n, ether / 1000n)).toMatch(/^0x\w+…\w+ bridged 100 USDC .*, paying 0\.001 ETH in fees\.$/);
  });

  it("is told as given where it is more than a fee of such an act", () => {
    for (const value of [ether / 2n, ether / 250n])
      expect(bridge(100_000_000n, value)).toMatch(/ It also gave 0\.\d+ ETH for it\.$/);
    expect(bridge(10_000_000_000n, ether / 250n)).toContain(", paying 0.004 ETH in fees");
  });
});
