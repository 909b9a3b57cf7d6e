import { keccak256, toHex } from "viem";
import { describe, expect, it } from "vitest";
import type { RpcLog } from "../../../src/model/case-file.ts";
import { execTransaction } from "../../support/envelopes.ts";
import { alice, entryPoint, explain, flagged, router, type Scene, someone, token, word } from "./scene.ts";

const flags = (scene: Scene) => flagged(scene, "transaction_reverted");
const account = someone("account");

function operation(success: boolean, emitter = entryPoint): RpcLog {
  const topic = keccak256(toHex("UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)"));
  const words = [0n, success ? 1n : 0n, 7n, 7n].map((value) => word(value).slice(2));
  return { address: emitter, topics: [topic, word(1n), word(account), word(0n)], data: `0x${words.join("")}` };
}

describe("transaction_reverted fires", () => {
  it("for a transaction that ran out of gas", () => {
    expect(flags({ status: "0x0" })).toEqual(["The transaction reverted: nothing moved except the fee."]);
  });

  it("for one that carried value, which did not move", () => {
    const answer = explain({ status: "0x0", value: 10n ** 18n, frames: [] });
    expect(answer).toMatchObject({ status: "reverted", assets_moved: [] });
    expect(answer.risk_flags.map(({ flag }) => flag)).toEqual(["transaction_reverted"]);
    expect(answer.summary).toContain("reverted");
  });

  it("for a user operation that failed in a bundle that stands", () => {
    const scene: Scene = { from: someone("bundler"), to: entryPoint, input: "0x1fad948c", logs: [operation(false)] };
    expect(flags(scene)[0]).toMatch(/^The transaction stands, but the user operation of 0x\w{40} inside it failed/);
    expect(explain(scene).status).toBe("success");
  });

  it("for a Safe that says that its call failed", () => {
    const safe = someone("safe");
    const input = execTransaction(token, 0n, "0x12345678");
    const logs = [
      {
        address: safe,
        topics: [keccak256(toHex("ExecutionFailure(bytes32,uint256)"))],
        data: `${word(1n)}${"0".repeat(64)}`,
      },
    ];
    expect(flags({ to: safe, input, logs })[0]).toMatch(/^The transaction stands, but the call of the Safe 0x\w{40}/);
  });
});

describe("transaction_reverted stays silent", () => {
  it("for a user operation that did what it should", () => {
    const scene: Scene = { from: someone("bundler"), to: entryPoint, input: "0x1fad948c", logs: [operation(true)] };
    expect(flags(scene)).toEqual([]);
  });

  it("for the same event of another contract", () => {
    expect(flags({ logs: [operation(false, someone("imitation"))] })).toEqual([]);
  });

  it("for a call that a protocol tries and gives up inside", () => {
    const frames = [
      { type: "CALL", from: router, to: token, input: "0xabcdef01", error: "execution reverted", calls: [] },
    ];
    expect(flags({ frames })).toEqual([]);
    expect(alice).not.toBe(router);
  });
});
