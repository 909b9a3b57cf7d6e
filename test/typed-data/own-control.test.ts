import { encodeFunctionData, encodePacked, type Hex, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { someone } from "../assess/scene.ts";
import { safe, safeTx } from "./safe-transaction.ts";
import { decideFor } from "./sample.ts";

const thief = someone("thief");
const other = someone("other");
const multisend = "0x40A2aCCbd92BCA938b02010E17A5b8929b49130D";
const asked = (signature: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: parseAbi([signature]), args } as never);

/** What alice is told where a batch has the account, or another one, make this call. */
function batch(data: Hex, to = safe) {
  const call = encodePacked(
    ["uint8", "address", "uint256", "uint256", "bytes"],
    [0, to, 0n, BigInt(data.length / 2 - 1), data],
  );
  const whole = asked("function multiSend(bytes transactions)", [call]);
  return decideFor(safeTx({ to: multisend, operation: 1, data: whole })).explanation;
}

describe("what a batch changes about the account that runs it", () => {
  it.each<[string, readonly unknown[], RegExp]>([
    ["function enableModule(address module)", [thief], /enable the module 0x\S+, which may move everything/],
    [
      "function addOwnerWithThreshold(address owner, uint256 threshold)",
      [thief, 1n],
      /take 0x\S+ for an owner and need 1 signature\.$/,
    ],
    [
      "function swapOwner(address prevOwner, address oldOwner, address newOwner)",
      [other, other, thief],
      /replace its owner 0x\S+ by 0x\S+\.$/,
    ],
    [
      "function removeOwner(address prevOwner, address owner, uint256 threshold)",
      [other, thief, 2n],
      /remove its owner 0x\S+ and need 2 signatures\.$/,
    ],
    ["function setGuard(address guard)", [thief], /ask the guard 0x\S+ before every transaction\.$/],
    ["function setModuleGuard(address guard)", [thief], /ask the guard 0x\S+ before modules act for it\.$/],
    ["function setFallbackHandler(address handler)", [thief], /have unknown calls answered by the code of 0x\S+\.$/],
  ])("is told, with whom it names: %s", (signature, args, told) => {
    const { summary, counterparties, partial } = batch(asked(signature, args));
    expect(summary).toMatch(told);
    expect(counterparties.map(({ address }) => address.toLowerCase())).toContain(thief);
    expect(partial).toBe(false);
  });

  it("is a threshold", () => {
    expect(batch(asked("function changeThreshold(uint256 threshold)", [1n])).summary).toMatch(
      /set the number of signatures that it needs to 1\.$/,
    );
  });

  it("is not what another account is called for", () => {
    expect(batch(asked("function enableModule(address module)", [thief]), other).summary).toMatch(/ call 0x\S+\.$/);
  });

  it("is said to be possible where the function is not known", () => {
    const { summary, partial } = batch("0x12345678");
    expect([summary.endsWith("call itself, which may change who controls it."), partial]).toEqual([true, true]);
  });
});
