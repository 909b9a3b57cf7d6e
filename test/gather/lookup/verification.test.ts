import { keccak256, toHex } from "viem";
import { describe, expect, it } from "vitest";
import { lookUpVerification } from "../../../src/gather/lookup/risk/verification.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { Hex } from "../../../src/kernel/hex.ts";
import { someone, word } from "../../engine/assess/scene.ts";
import { contract, plain, proxies, sourceServers, type World } from "./source-servers.ts";

const logic = someone("logic");
const safeCode = "0x60806040a619486e00";
const slot = (name: string): Hex => toHex(BigInt(keccak256(toHex(name))) - 1n, { size: 32 });
const clone = (to: Address): Hex => `0x363d3d373d3d3d363d73${to.slice(2)}5af43d82803e903d91602b57fd5bf3`;

describe("what runs at an address", () => {
  it.each<[string, World, object]>([
    ["a contract", { codes: { [contract]: plain } }, { code: "contract", via: [], logic: [contract] }],
    [
      "a clone (EIP-1167)",
      { codes: { [contract]: clone(logic), [logic]: plain } },
      { via: ["eip1167"], logic: [logic] },
    ],
    [
      "a clone with PUSH0 (ERC-7511)",
      { codes: { [contract]: `0x365f5f375f5f365f73${logic.slice(2)}5af43d5f5f3e5f3d91602a57fd5bf3`, [logic]: plain } },
      { via: ["eip1167"], logic: [logic] },
    ],
    [
      "a proxy of EIP-1967",
      {
        codes: { [contract]: plain, [logic]: plain },
        storage: { [`${contract}${slot("eip1967.proxy.implementation")}`]: word(logic) },
      },
      { via: ["eip1967"], logic: [logic] },
    ],
    [
      "a proxy of EIP-1822",
      {
        codes: { [contract]: plain, [logic]: plain },
        storage: { [`${contract}${keccak256(toHex("PROXIABLE"))}`]: word(logic) },
      },
      { via: ["eip1822"], logic: [logic] },
    ],
    [
      "a proxy of ZeppelinOS, as USDC is one",
      {
        codes: { [contract]: plain, [logic]: plain },
        storage: { [`${contract}${keccak256(toHex("org.zeppelinos.proxy.implementation"))}`]: word(logic) },
      },
      { via: ["zeppelin"], logic: [logic] },
    ],
    [
      "a Safe",
      { codes: { [contract]: safeCode, [logic]: plain }, storage: { [`${contract}${word(0n)}`]: word(logic) } },
      { via: ["safe"], logic: [logic] },
    ],
    [
      "an account that delegates (EIP-7702)",
      { codes: { [contract]: `0xef0100${logic.slice(2)}`, [logic]: plain } },
      { code: "delegated", via: ["eip7702"], logic: [logic] },
    ],
    [
      "a clone of a proxy",
      {
        codes: { [contract]: clone(someone("middle")), [someone("middle")]: plain, [logic]: plain },
        storage: { [`${someone("middle")}${slot("eip1967.proxy.implementation")}`]: word(logic) },
      },
      { via: ["eip1167", "eip1967"], logic: [logic] },
    ],
  ])("is found for %s", async (_name, world, expected) => {
    const { look } = await sourceServers([logic, contract]);
    expect(await look(world)).toMatchObject({ status: "found", ...expected });
  });

  it("is found behind a beacon, in one more trip", async () => {
    const beacon = someone("beacon");
    const { look } = await sourceServers([logic]);
    const world = {
      codes: { [contract]: plain, [logic]: plain } as Record<Address, Hex>,
      storage: { [`${contract}${slot("eip1967.proxy.beacon")}`]: word(beacon) },
      calls: { [`${beacon}0x5c60da1b`]: word(logic) },
    };
    expect(await look(world)).toMatchObject({ status: "found", via: ["beacon"], logic: [logic], trips: 3 });
    expect(await look({ ...world, calls: {} })).toMatchObject({ status: "inconclusive" });
  });

  it("is the facet of the called selector for a diamond; a diamond that does not tell is not decided", async () => {
    const { look } = await sourceServers([logic]);
    const world = { codes: { [contract]: plain, [logic]: plain } as Record<Address, Hex> };
    const asked = { selector: "0x12345678" as const };
    const found = await look({ ...world, calls: { [`${contract}0xcdffacc6`]: word(logic) } }, asked);
    expect(found).toMatchObject({ status: "found", via: ["diamond"], logic: [logic] });
    const silent = await look({ ...world, calls: { [`${contract}0xcdffacc6`]: word(0n) } }, asked);
    expect(silent).toMatchObject({ status: "inconclusive", via: ["diamond"] });
  });

  it("stays undecided in a circle of proxies", async () => {
    const { look } = await sourceServers([logic]);
    expect(await look({ codes: { [contract]: clone(logic), [logic]: clone(contract) } })).toMatchObject({
      status: "inconclusive",
    });
  });

  it("is nothing for an account without code", async () => {
    const { look, sourcify } = await sourceServers([]);
    expect(await look({ codes: {} })).toMatchObject({ status: "absent", code: "none" });
    expect(sourcify.visits).toEqual([]);
  });

  it("stays undecided where only the newest state could be read and could have changed since", async () => {
    const { look } = await sourceServers([logic, contract]);
    const storage = { [`${contract}${slot("eip1967.proxy.implementation")}`]: word(logic) };
    expect(await look({ codes: {}, at: "latest" })).toMatchObject({ status: "inconclusive", code: "none" });
    expect(await look({ codes: { [contract]: plain, [logic]: plain }, storage, at: "latest" })).toMatchObject({
      status: "inconclusive",
    });
    expect(await look({ codes: { [contract]: plain }, at: "latest" })).toMatchObject({ status: "found" });
  });

  it("names an owner only of a Safe", async () => {
    const { look } = await sourceServers([logic, contract]);
    const calls = { [`${contract}0x2f54bf6e`]: word(1n) };
    const storage = { [`${contract}${word(0n)}`]: word(logic) };
    const asked = { owner: someone("alice") };
    expect(await look({ codes: { [contract]: safeCode, [logic]: plain }, storage, calls }, asked)).toMatchObject({
      owned: true,
    });
    expect(await look({ codes: { [contract]: plain }, calls }, asked)).toMatchObject({ owned: false });
  });

  it("is unavailable when the chain did not answer", async () => {
    const { sourcify } = await sourceServers([]);
    const ask = async () => ({ status: "found" as const, source: "x" });
    const context = {
      block: 1,
      readState: async () => undefined,
      proxies,
      signal: AbortSignal.timeout(1_000),
      time: () => "then",
    };
    const questions = [{ address: contract, selector: null, owner: null }];
    expect(await lookUpVerification(questions, ask, context)).toMatchObject({
      [contract]: { status: "unavailable", code: null },
    });
    expect(sourcify.visits).toEqual([]);
  });
});
