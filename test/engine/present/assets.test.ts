import { describe, expect, it } from "vitest";
import { checksum } from "../../../src/kernel/address.ts";
import { limits } from "../../../src/kernel/limits.ts";
import type { CaseFile, RpcLog } from "../../../src/model/case-file.ts";
import {
  alice,
  bob,
  calldata,
  carol,
  caseOf,
  metadata,
  nftTransferLog,
  piecesTransferLog,
  token,
  transferLog,
  usdc,
  vault,
  zero,
} from "../../support/case-of.ts";
import { compileOwn, decideBy } from "../../support/own-rules.ts";

const rules = compileOwn(`protocol: any
kind: standard
rules:
  - { id: call, action: contract_interaction, say: "call {contract}" }`);
type Parts = Parameters<typeof caseOf>[0];
const addressOf = (n: number) => `0x${n.toString(16).padStart(2, "0").repeat(20)}`;
const explain = (parts: Parts) => decideBy(rules, caseOf(parts)).explanation;

describe("assets_moved", () => {
  it("has every movement in order, exact, with checksummed addresses", () => {
    const { assets_moved } = explain({
      transaction: { value: "0x1" },
      receipt: {
        logs: [
          transferLog(usdc, alice, bob, 1_500_000n),
          nftTransferLog(token, zero, alice, 5n),
          piecesTransferLog(token, { operator: bob, from: bob, to: alice, id: 0n, value: 2n }),
        ],
      },
    });
    const [from, to] = [checksum(alice), checksum(bob)];
    expect(assets_moved).toEqual([
      {
        token: "ETH",
        amount: "0.000000000000000001",
        from,
        to: checksum(vault),
        token_address: null,
        standard: "native",
      },
      { token: "USDC", amount: "1.5", from, to, token_address: checksum(usdc), standard: "erc20" },
      {
        ...{ token: "0x7070…7070", amount: "1", from: checksum(zero), to: from },
        token_address: checksum(token),
        token_id: "5",
        standard: "erc721",
      },
      {
        ...{ token: "0x7070…7070", amount: "2", from: to, to: from },
        token_address: checksum(token),
        token_id: "0",
        standard: "erc1155",
      },
    ]);
  });

  it("says which names a stranger chose, cleaned of what cannot be seen", () => {
    const receipt = { logs: [transferLog(usdc, alice, bob, 1n), transferLog(token, bob, alice, 1n)] };
    const { assets_moved, provenance } = explain({ receipt, tokens: { [token]: metadata("\u202e<b>\u0007", 6) } });
    expect(assets_moved[1]?.token).toBe("<b>");
    expect(provenance.untrusted_fields).toEqual(["assets_moved[1].token"]);
  });

  const many = (count: number, from: string, to: string): RpcLog[] =>
    Array.from({ length: count }, (_, i) => transferLog(usdc, from, to, BigInt(i + 1)));

  it("is cut above the limit: others' movements go from the end, the subject's own stay, and the answer says so", () => {
    const logs = [...many(limits.assetsMax + 50, vault, carol), ...many(20, alice, bob)];
    const { assets_moved, partial } = explain({ receipt: { logs } });
    expect(assets_moved).toHaveLength(limits.assetsMax);
    expect(partial).toBe(true);
    const own = assets_moved.filter(({ from }) => from === checksum(alice));
    expect(own.map(({ amount }) => amount)).toEqual(
      many(20, alice, bob).map((_, i) => `0.${String(i + 1).padStart(6, "0")}`.replace(/0+$/, "")),
    );
    const others = assets_moved.filter(({ from }) => from === checksum(vault));
    expect(others).toHaveLength(limits.assetsMax - 20);
    expect(others.at(-1)?.amount).toBe("0.00018");
  });

  it("keeps what was taken from an owner who did nothing", () => {
    const logs = [...many(limits.assetsMax + 50, vault, alice), ...many(20, bob, carol)];
    const { assets_moved } = explain({ receipt: { logs } });
    expect(assets_moved.filter(({ from }) => from === checksum(bob))).toHaveLength(20);
  });

  it("keeps the subject's own movements even if there are more of them than the limit", () => {
    const logs = [...many(10, bob, carol), ...many(limits.assetsMax + 50, alice, bob)];
    const { assets_moved, partial } = explain({ receipt: { logs } });
    expect(assets_moved.map(({ from }) => from)).toEqual(Array(limits.assetsMax + 50).fill(checksum(alice)));
    expect(partial).toBe(true);
  });

  it("stays under 256 KB, with listed tokens before what anybody can write, and says what is cut", () => {
    const junk = Array.from({ length: 6_000 }, (_, i) =>
      transferLog(token, alice, addressOf((i % 200) + 1), 2n ** 256n - 1n - BigInt(i)),
    );
    const name = metadata("😀".repeat(40), 255);
    const explanation = explain({ receipt: { logs: [...junk, ...many(1, alice, carol)] }, tokens: { [token]: name } });
    expect(explanation.assets_moved).toHaveLength(limits.ownAssetsMax);
    expect(explanation.assets_moved.at(-1)).toMatchObject({ token: "USDC", to: checksum(carol) });
    expect(explanation.counterparties.map(({ address }) => address)).toContain(checksum(carol));
    expect(explanation.partial).toBe(true);
    expect(explanation.counterparties).toHaveLength(limits.counterpartiesMax);
    const { assets_moved, counterparties, ...rest } = explanation;
    const longest = Buffer.byteLength(JSON.stringify([assets_moved, counterparties]));
    expect(Buffer.byteLength(JSON.stringify({ ...rest, risk_flags: [] }))).toBeLessThan(24 * 1024);
    // There is always room for a hundred flags.
    expect(longest).toBeLessThan((256 - 24 - 40) * 1024);
  });

  it("is not cut at the limit", () => {
    const shown: CaseFile["trace"] = {
      source: "internal_transfers",
      provider: "explorer.example",
      internal_transfers: [],
    };
    const { assets_moved, partial } = explain({ receipt: { logs: many(limits.assetsMax, bob, carol) }, trace: shown });
    expect([assets_moved.length, partial]).toEqual([limits.assetsMax, false]);
  });
});

describe("counterparties", () => {
  const hub = compileOwn(`protocol: hub
kind: protocol
name: Hub
site: https://example.org
contracts:
  hub: { source: test, The Hub: "${checksum(vault)}" }
abi:
  act: "function act(address b, address a, address quiet)"
  pass: "function pass(address one, address two, address three)"
rules:
  - id: act
    action: claim
    anchor: { call: act }
    at: hub
    values: { quiet: quiet as address, a: a as address, b: b as address }
    say: "act for {b} and {a}"
  - id: pass
    action: claim
    anchor: { call: pass }
    at: hub
    values: { zebra: one as address, told: two as address, apple: three as address }
    say: "pass on to {told}"`);

  it("are first those that the sentence names, in its order, then the contract, then those who traded", () => {
    const input = calldata("function act(address b, address a, address quiet)", [
      addressOf(2),
      addressOf(1),
      addressOf(3),
    ]);
    const logs = [transferLog(usdc, addressOf(9), addressOf(8), 1n), transferLog(usdc, alice, bob, 1n)];
    const { explanation } = decideBy(hub, caseOf({ transaction: { input }, receipt: { logs } }));
    expect(explanation.counterparties.map(({ address }) => address.toLowerCase())).toEqual([
      addressOf(2),
      addressOf(1),
      addressOf(3),
      vault,
      bob,
      addressOf(9),
      addressOf(8),
    ]);
  });

  it("are in the order of their names, not of the file, if the sentence does not tell them", () => {
    const input = calldata("function pass(address one, address two, address three)", [1, 2, 3].map(addressOf));
    const { explanation } = decideBy(hub, caseOf({ transaction: { input } }));
    expect(explanation.counterparties.map(({ address }) => address.toLowerCase())).toEqual([
      ...[addressOf(2), addressOf(3), addressOf(1)],
      vault,
    ]);
  });

  it("are at most 100, without the subject and the zero address", () => {
    const logs = Array.from({ length: 120 }, (_, i) => transferLog(usdc, i % 2 ? alice : zero, addressOf(i + 1), 1n));
    const { counterparties } = explain({ receipt: { logs } });
    expect(counterparties).toHaveLength(limits.counterpartiesMax);
    const addresses = counterparties.map(({ address }) => address.toLowerCase());
    expect(addresses).not.toContain(alice);
    expect(addresses).not.toContain(zero);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it("have curated labels only, never a token's own name", () => {
    const { counterparties } = explain({
      transaction: { to: token },
      receipt: { logs: [transferLog(token, alice, usdc, 1n)] },
      tokens: { [token]: metadata("Coinbase", 6) },
    });
    expect(counterparties).toContainEqual({ address: checksum(token), label: null });
    expect(counterparties).toContainEqual({ address: checksum(usdc), label: "USDC" });
  });
});
