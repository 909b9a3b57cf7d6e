import { describe, expect, it } from "vitest";
import { isExempt } from "../../../src/engine/assess/examined/exempt.ts";
import { checksum, toAddress } from "../../../src/kernel/address.ts";
import type { VerificationLookup } from "../../../src/model/risk-lookups.ts";
import {
  actOf,
  alice,
  answers,
  approval,
  approveCall,
  caseOf,
  code,
  explain,
  flagged,
  router,
  someone,
  spender,
  token,
  transfer,
  usdc,
} from "./scene.ts";

const about = (lookup: VerificationLookup) => answers({ verification: { [router]: lookup } });
const flags = (lookup: VerificationLookup) => flagged({ risk: about(lookup) }, "unverified_contract");
const status = (lookup: VerificationLookup) => explain({ risk: about(lookup) }).checks.contract_verification;
const logic = someone("logic");

describe("unverified_contract fires", () => {
  it("for a called contract without published source", () => {
    expect(flags(code({ status: "absent", logic: [router] }))).toEqual([
      `No source code is published for the called contract ${checksum(router)}.`,
    ]);
  });

  it("for a proxy before logic without published source, and names the logic", () => {
    expect(flags(code({ status: "absent", logic: [logic], via: ["eip1967"] }))).toEqual([
      `No source code is published for what runs behind the called contract ${checksum(router)}: ${checksum(logic)}.`,
    ]);
  });

  it("for a spender", () => {
    const risk = answers({ verification: { [spender]: code({ status: "absent", logic: [spender] }) } });
    const scene = { to: token, input: approveCall(spender, 5n), logs: [approval(token, alice, spender, 5n)], risk };
    expect(flagged(scene, "unverified_contract")[0]).toContain(`the spender ${checksum(spender)}`);
  });

  it("for a recipient with code", () => {
    const bob = someone("bob");
    const risk = answers({ verification: { [bob]: code({ status: "absent", logic: [bob] }) } });
    const scene = { to: usdc, input: "0xa9059cbb" as const, logs: [transfer(usdc, alice, bob, 1n)], risk };
    expect(flagged(scene, "unverified_contract")[0]).toContain(`the recipient ${checksum(bob)}`);
  });
});

describe("unverified_contract stays silent", () => {
  it.each([
    ["an account without code", code({ status: "absent", code: "none", source: "rpc" })],
    ["a clone of published logic", code({ logic: [logic], via: ["eip1167"] })],
    ["a Safe", code({ logic: [logic], via: ["safe"] })],
    ["an account that delegates to published code", code({ code: "delegated", logic: [logic], via: ["eip7702"] })],
    ["a source that did not answer", code({ status: "unavailable", logic: [router] })],
    ["a diamond that does not tell its facet", code({ status: "inconclusive", logic: [router], via: ["diamond"] })],
  ])("for %s", (_name, lookup) => {
    expect(flags(lookup)).toEqual([]);
  });

  const exempt = (address: string, block = 53_600_000) => {
    const act = actOf(caseOf({}));
    return isExempt(toAddress(address), { ...act, tx: { ...act.tx, blockNumber: block } });
  };

  it.each([
    "0x0000000000000000000000000000000000000000",
    "0x000000000000000000000000000000000000dead",
    "0x0000000000000000000000000000000000000001",
    "0x000000000000000000000000000000000000000b",
    "0x0000000000000000000000000000000000000011",
    "0x0000000000000000000000000000000000000100",
    "0x4200000000000000000000000000000000000006",
    "0x4200000000000000000000000000000000000042",
    "0xb20f000000000000000000000000000000000000",
  ])("for %s, which nobody deals with", (address) => {
    expect(exempt(address)).toBe(true);
  });

  it.each([
    "0x4200000000000000000000000000000000000800",
    "0x0000000000000000000000000000000000000012",
    "0xb20f000000000000000000000000000000000001",
    // Of the form of a B20 token, which proves nothing.
    "0xb200000000000000000000c2e324d24d7eecd1fb",
    someone("anyone"),
  ])("but for %s, which only begins like those", (address) => {
    expect(exempt(address)).toBe(false);
  });

  it("precompiles only from the block on in which they came, and where no block is known", () => {
    const isthmus = "0x000000000000000000000000000000000000000b";
    expect([30_008_526, 30_008_527, 0].map((block) => exempt(isthmus, block))).toEqual([false, true, true]);
  });
});

describe("contract_verification says how far it reached", () => {
  it.each([
    ["ok", code()],
    ["ok", code({ status: "absent", logic: [router] })],
    ["unavailable", code({ status: "unavailable" })],
    ["inconclusive", code({ status: "inconclusive" })],
    ["partial", code({ status: "inconclusive", via: ["diamond"] })],
  ])("%s", (expected, lookup) => {
    expect(status(lookup)).toBe(expected);
  });

  it("inconclusive for a contract that spoke in the transaction and is gone", () => {
    const risk = about(code({ status: "absent", code: "none", source: "rpc" }));
    const logs = [{ address: router, topics: [], data: "0x" }];
    expect(explain({ logs, risk }).checks.contract_verification).toBe("inconclusive");
  });

  it("partial if the limit of lookups left an address out, and names it", () => {
    const { checks } = explain({ risk: answers({}) });
    expect(checks).toMatchObject({ contract_verification: "partial", unchecked_addresses: [checksum(router)] });
    expect(checks.note).toContain("1 address beyond the limit of lookups is listed as unchecked.");
  });

  it("partial when one of two answered", () => {
    const verification = { [spender]: code(), [router]: code({ status: "unavailable" }) };
    const logs = [approval(usdc, alice, spender, 5n)];
    expect(explain({ logs, risk: answers({ verification }) }).checks.contract_verification).toBe("partial");
  });

  it("unavailable when one did not answer and another was beyond the limit", () => {
    const verification = { [spender]: code({ status: "unavailable" }) };
    const logs = [approval(usdc, alice, spender, 5n)];
    const { checks } = explain({ logs, risk: answers({ verification }) });
    expect(checks).toMatchObject({
      contract_verification: "unavailable",
      unchecked_addresses: [checksum(router)],
    });
  });

  it("not applicable if there was no counterparty", () => {
    expect(explain({ to: usdc, input: "0xa9059cbb", risk: answers({}) }).checks.contract_verification).toBe(
      "not_applicable",
    );
  });

  it("not applicable if ether went to somebody without code, and ok if it went to a contract", () => {
    const bob = someone("bob");
    const check = (lookup: VerificationLookup) => {
      const scene = { to: bob, input: "0x" as const, value: 5n, risk: answers({ verification: { [bob]: lookup } }) };
      return explain(scene).checks.contract_verification;
    };
    expect(check(code({ status: "absent", code: "none", source: "rpc" }))).toBe("not_applicable");
    expect(check(code())).toBe("ok");
    expect(check(code({ status: "unavailable", code: null }))).toBe("unavailable");
  });

  it("unavailable with the reason when no lookups were made", () => {
    const { checks } = explain({});
    expect(checks).toMatchObject({
      contract_verification: "unavailable",
      first_interaction: "unavailable",
      drainer_blacklist: "unavailable",
    });
    expect(checks.note).toContain("LOOKUPS=off");
  });
});
