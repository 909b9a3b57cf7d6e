import { describe, expect, it } from "vitest";
import type { Address } from "../../../src/kernel/address.ts";
import { limits } from "../../../src/kernel/limits.ts";
import { alice, bob, carol, usdc, vault } from "../../support/case-of.ts";
import { action, acts, also, beside, loss, me, type Parts, said, steps, tell, teller, usd } from "./summary-parts.ts";

describe("a summary", () => {
  it.each<[string, Parts, string]>([
    ["one act", { actions: acts("paid") }, `${me} paid.`],
    ["two", { actions: acts("paid", "got") }, `${me} paid. ${also("got")}`],
    ["four", { actions: acts("paid", "a", "b", "c") }, `${me} paid. ${also("a, b and c")}`],
    ["five", { actions: acts("paid", "a", "b", "c", "d") }, `${me} paid. ${also(`a, b and ${steps(2)}`)}`],
    [
      "what stands in brackets once",
      { actions: acts("(a Safe) paid", "(a Safe) got") },
      `${me} (a Safe) paid. ${also("got")}`,
    ],
    [
      "what is missing, the first of it",
      { actions: acts("paid"), missing: [said("X."), said("Y.")] },
      `${me} paid. X.`,
    ],
    [
      "gas in tokens",
      { actions: acts("paid", "a"), fee: said("paid for gas") },
      `${me} paid. ${also("a and paid for gas")}`,
    ],
    [
      "gas in tokens alone",
      { actions: acts("paid"), fee: said("paid for gas") },
      `${me} paid. ${also("paid for gas")}`,
    ],
    ["a remark instead of further acts", { actions: acts("paid", "a"), remark: "Beware." }, `${me} paid. Beware.`],
    ["nothing that is known", {}, `${teller.words("summary.sender")} ${teller.words("summary.undecoded")}.`],
    [
      "nothing that is known, simulated",
      { simulated: { block: 7, differs: false } },
      `${teller.say("preview.simulated", { block: 7, told: said(`${teller.words("preview.sender")} ${teller.words("summary.undecoded")}`) }).text}.`,
    ],
    ["acts of others not at all", { actions: [...acts("paid"), action("got", { subject: bob })] }, `${me} paid.`],
    [
      "who controls it before what it did",
      { actions: [...acts("paid", "a"), action("gave it away", { control: true })] },
      `${me} paid. ${also("gave it away and a")}`,
    ],
    [
      "who controls others beside it",
      { actions: [...acts("paid"), action("gave it away", { control: true, subject: bob })] },
      `${me} paid. ${beside(`${teller.short(bob)} gave it away`)}`,
    ],
    [
      "what it lost",
      { actions: acts("paid", "a"), losses: [loss(5_000_000n)] },
      `${me} paid. ${also(`${usd("5")} and a`)}`,
    ],
    [
      "what others lost",
      { actions: acts("paid"), losses: [loss(5_000_000n, vault, bob)] },
      `${me} paid. ${beside(`${teller.short(bob)} ${usd("5")}`)}`,
    ],
    [
      "what it lost and what is missing",
      { actions: acts("paid"), losses: [loss(5_000_000n)], missing: [said("X.")] },
      `${me} paid. ${also(usd("5"))} X.`,
    ],
    [
      "what it and others lost before what is missing",
      { actions: acts("paid"), losses: [loss(5_000_000n), loss(6_000_000n, vault, bob)], missing: [said("X.")] },
      `${me} paid. ${also(usd("5"))} ${beside(`${teller.short(bob)} ${usd("6")}`)}`,
    ],
    [
      "what it lost behind a remark",
      { actions: acts("paid"), losses: [loss(5_000_000n)], remark: "Beware.", missing: [said("X.")] },
      `${me} paid. Beware. ${also(usd("5"))}`,
    ],
    [
      "what it and others lost, and no remark",
      { actions: acts("paid"), losses: [loss(5_000_000n), loss(6_000_000n, vault, bob)], remark: "Beware." },
      `${me} paid. ${also(usd("5"))} ${beside(`${teller.short(bob)} ${usd("6")}`)}`,
    ],
    [
      "what it allowed",
      {
        actions: acts("paid"),
        grants: [
          { owner: alice, token: usdc, grantee: vault, amount: 5_000_000n, stands: true, uncertain: false, logs: [] },
        ],
      },
      `${me} paid. ${also(teller.say("summary.allowed", { spender: "Vault", amount: said("5 USDC") }).text)}`,
    ],
  ])("tells %s", (_case, parts, expected) => {
    expect(tell(parts)).toEqual({ text: expected, untrusted: false, cut: false });
  });

  it("tells what was tried and why it failed if the transaction reverted", () => {
    const tried = action("tried to pay", { status: "reverted" });
    const told = teller.say("summary.reverted", { told: said(`${me} tried to pay`) }).text;
    const unknown = teller.say("summary.reason_unknown", {}).text;
    const reason = said("it was late");
    expect(tell({ actions: [tried], reverted: true, missing: [said("X.")] }).text).toBe(`${told}. ${unknown}`);
    expect(tell({ actions: [tried], reverted: true, reason }).text).toBe(
      `${told}. ${teller.say("summary.reason", { reason }).text}`,
    );
    const kept = action("paid");
    expect(tell({ actions: [kept, tried], reverted: true }).text).toBe(`${told}. ${also("paid")} ${unknown}`);
    const simulated = { block: 7, differs: true };
    const ended = teller.say("preview.simulated", {
      block: 7,
      told: teller.say("preview.reverted", { told: said(`${me} tried to pay`) }),
    }).text;
    expect(tell({ actions: [tried, kept], reverted: true, simulated }).text).toBe(
      `${ended}. ${teller.say("preview.differs", {}).text} ${also("paid")} ${unknown}`,
    );
    const ran = teller.say("preview.simulated", { block: 7, told: said(`${me} paid`) }).text;
    expect(tell({ actions: [kept], simulated: { block: 7, differs: false } }).text).toBe(`${ran}.`);
  });

  it("is untrusted if a told part is untrusted", () => {
    const untrusted = (parts: Parts) => tell(parts).untrusted;
    expect(untrusted({ actions: acts("odd") })).toBe(true);
    expect(untrusted({ actions: acts("paid", "odd") })).toBe(true);
    expect(untrusted({ actions: acts("paid", "a", "b", "odd", "d") })).toBe(false);
    expect(untrusted({ actions: acts("paid"), fee: said("gas", true) })).toBe(true);
    expect(untrusted({ actions: acts("paid"), missing: [said("X", true)] })).toBe(true);
    expect(untrusted({ actions: acts("paid", "odd"), remark: "r" })).toBe(false);
    const other = (does: string) => action(does, { control: true, subject: bob });
    expect(untrusted({ actions: [...acts("paid"), other("odd")] })).toBe(true);
    expect(untrusted({ actions: [...acts("paid"), other("gave")] })).toBe(false);
  });

  it("tells two changes of control of others, then losses, then the other changes", () => {
    const changed = ["a", "b", "c"].map((does) => action(does, { control: true, subject: bob }));
    const { text, cut } = tell({ actions: [...acts("paid"), ...changed], losses: [loss(5_000_000n, vault, carol)] });
    const [b, c] = [teller.short(bob), teller.short(carol)];
    expect(text).toBe(`${me} paid. ${beside(`${b} a; ${b} b; ${c} ${usd("5")}; ${b} c`)}`);
    expect(cut).toBe(false);
  });

  it("counts losses and changes of control for which there is no room", () => {
    const pad = "x".repeat(45);
    const changes = Array.from({ length: 8 }, (_, i) => action(`gave ${pad} ${i}`, { control: true }));
    const losses = Array.from({ length: 6 }, (_, i) =>
      loss(BigInt(i + 1) * 1_000_000n, `0x${`${i + 1}`.repeat(40)}` as Address),
    );
    const many = tell({ actions: [...acts("paid"), ...changes], losses, simulated: { block: 7, differs: false } });
    const control = teller.say("summary.more_control", { count: 2 }).text;
    const more = teller.say("summary.lost_more", { count: 2 }).text;
    expect(many.text).toContain(`gave ${pad} 5, sent 6 USDC to `);
    expect(many.text).toMatch(new RegExp(`, ${control} and ${more}\\.$`));
    expect([many.cut, many.text.length <= limits.previewSummaryCharsMax]).toEqual([true, true]);
    const fewer = tell({ actions: [...acts("paid"), ...changes], losses });
    expect(fewer.text.length).toBeLessThanOrEqual(limits.summaryCharsMax);
    expect(fewer.text).toContain(`gave ${pad} 2, sent 6 USDC to `);
    expect(fewer.text).toContain(
      `${teller.say("summary.more_control", { count: 5 }).text} and ${teller.say("summary.lost_more", { count: 4 }).text}`,
    );
  });

  it("is as long as the limit, and is cut at a word beyond it", () => {
    const start = `${me} `.length;
    const whole = "x".repeat(limits.summaryCharsMax - start - 1);
    expect(tell({ actions: acts(whole) }).text).toBe(`${me} ${whole}.`);
    const words = `${"word ".repeat(100)}end`.slice(0, limits.summaryCharsMax);
    const cut = tell({ actions: acts(words), missing: [said("X.")] });
    expect(cut.text.length).toBeLessThanOrEqual(limits.summaryCharsMax);
    expect(cut.text.length).toBeGreaterThan(limits.summaryCharsMax - 10);
    expect(cut.text).toMatch(/ word…\. X\.$/);
    expect([cut.cut, tell({ actions: acts(whole) }).cut]).toEqual([true, false]);
    const further = tell({ actions: acts(words, "a") }).text;
    expect([further.endsWith(` ${also(steps(1))}`), further.length <= limits.summaryCharsMax]).toEqual([true, true]);
    const lost = tell({
      actions: acts(words),
      losses: [loss(1n), loss(2n, bob), loss(3n, carol), loss(4n, usdc, bob)],
    });
    expect(lost.text).toContain(usd("0.000001"));
    expect(lost.text).toContain(teller.say("summary.lost_more", { count: 2 }).text);
    expect([lost.cut, lost.text.length <= limits.summaryCharsMax]).toEqual([true, true]);
    const simulated = tell({ actions: acts(words), simulated: { block: 7, differs: false } });
    expect(simulated.text).toContain(words);
  });

  it("counts further acts where their words have no room", () => {
    const long = "y".repeat(Math.floor(limits.summaryCharsMax / 2));
    expect(tell({ actions: acts(long, long.replaceAll("y", "z"), "short") }).text).toBe(
      `${me} ${long}. ${also(steps(2))}`,
    );
    expect(tell({ actions: acts(long, "a", "short") }).text).toBe(`${me} ${long}. ${also("a and short")}`);
  });
});
