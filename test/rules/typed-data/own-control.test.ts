import { encodeFunctionData, encodePacked, type Hex, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { someone } from "../../engine/assess/scene.ts";
import { safe, safeTx } from "./safe-transaction.ts";
import { decideFor } from "./sample.ts";

const thief = someone("thief");
const other = someone("other");
const multisend = "0x40A2aCCbd92BCA938b02010E17A5b8929b49130D";
const asked = (signature: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: parseAbi([signature]), args } as never);

/** The summary for alice when a batch makes the account call itself with this data. */
function batch(data: Hex) {
  const call = encodePacked(
    ["uint8", "address", "uint256", "uint256", "bytes"],
    [0, safe, 0n, BigInt(data.length / 2 - 1), data],
  );
  const whole = asked("function multiSend(bytes transactions)", [call]);
  return decideFor(safeTx({ to: multisend, operation: 1, data: whole })).explanation;
}

describe("what a batch changes about the account that runs it", () => {
  it.each<[string, readonly unknown[], RegExp]>([
    ["function enableModule(address module)", [thief], /enable the module 0x\S+ in 0x\S+, which may move everything/],
    [
      "function addOwnerWithThreshold(address owner, uint256 threshold)",
      [thief, 1n],
      /add the owner 0x\S+ to 0x\S+, which then needs 1 signature\.$/,
    ],
    [
      "function swapOwner(address prevOwner, address oldOwner, address newOwner)",
      [other, other, thief],
      /replace the owner 0x\S+ of 0x\S+ by 0x\S+\.$/,
    ],
    [
      "function removeOwner(address prevOwner, address owner, uint256 threshold)",
      [other, thief, 2n],
      /remove the owner 0x\S+ of 0x\S+, which then needs 2 signatures\.$/,
    ],
    ["function setGuard(address guard)", [thief], /have the guard 0x\S+ asked before every transaction of 0x\S+\.$/],
    ["function setModuleGuard(address guard)", [thief], /have the guard 0x\S+ asked before modules act for 0x\S+\.$/],
    [
      "function setFallbackHandler(address handler)",
      [thief],
      /have unknown calls of 0x\S+ answered by the code of 0x\S+\.$/,
    ],
  ])("is told, with whom it names: %s", (signature, args, told) => {
    const { summary, counterparties, partial } = batch(asked(signature, args));
    expect(summary).toMatch(told);
    expect(counterparties.map(({ address }) => address.toLowerCase())).toContain(thief);
    expect(partial).toBe(false);
  });

  it("is a threshold", () => {
    expect(batch(asked("function changeThreshold(uint256 threshold)", [1n])).summary).toMatch(
      /set the number of signatures that 0x\S+ needs to 1\.$/,
    );
  });

  it("is said to be possible where the function is not known", () => {
    const { summary, partial } = batch("0x12345678");
    expect([summary.endsWith("call itself, which may change who controls it."), partial]).toEqual([true, true]);
  });
});
