import { describe, expect, it } from "vitest";
import { Teller } from "../../../src/engine/present/teller/teller.ts";
import { checksum, shorten } from "../../../src/kernel/address.ts";
import { state } from "../../../src/rules/ruleset/wording/phrases.ts";
import { alice, bob } from "../../support/case-of.ts";
import { shippedTeller } from "../../support/wording.ts";

const teller = shippedTeller();
const trusted = (text: string) => ({ text, untrusted: false });

describe("a phrase", () => {
  const reason = state("summary.reason_unknown", {});

  it("has one form for one, and is a stranger's where a part is", () => {
    const said = (count: number) => teller.say("asset.more", { count });
    expect([said(1).text, said(2).text, said(0).text]).toEqual(["1 more asset", "2 more assets", "0 more assets"]);
    const quote = { text: '"x"', untrusted: true };
    expect(teller.say("summary.reason", { reason: quote })).toEqual({
      text: teller.say("summary.reason", { reason: trusted('"x"') }).text,
      untrusted: true,
    });
  });

  it("shortens addresses as it is told to, and tells statements", () => {
    const own = new Teller(
      {
        phrases: { "asset.token": forms([{ name: "token", kind: "short", opening: false }]) },
        panics: new Map(),
      } as never,
      () => "S",
    );
    expect([own.short(bob), own.say("asset.token", { token: bob }).text]).toEqual(["S", "S"]);
    expect(teller.tell(reason)).toBe(teller.say("summary.reason_unknown", {}).text);
    expect([teller.short(bob), teller.panic(0x9999n)]).toEqual([shorten(bob), undefined]);
  });

  it.each<[string, unknown, boolean, string]>([
    ["text", "a b", false, "a b"],
    ["text", "a b", true, "A b"],
    ["number", 5, false, "5"],
    ["address", bob, false, checksum(bob)],
    ["addresses", [alice, bob], false, `${checksum(alice)}, ${checksum(bob)}`],
    ["clause", reason, false, "why"],
    ["clauses", [reason, reason], false, "why; why"],
    ["phrase", trusted("said"), true, "Said"],
  ])("writes a %s by its kind: %#", (kind, value, opening, text) => {
    const phrases = {
      "summary.reason": forms(["<", { name: "x", kind, opening }, ">"]),
      "summary.reason_unknown": forms(["why"]),
    };
    const own = new Teller({ phrases, panics: new Map() } as never);
    expect(own.say("summary.reason", { x: value } as never)).toEqual(trusted(`<${text}>`));
  });
});

function forms(parts: unknown[]) {
  return { one: parts, other: parts };
}
