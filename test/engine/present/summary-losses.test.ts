import { describe, expect, it } from "vitest";
import type { Address } from "../../../src/kernel/address.ts";
import { bob, carol, vault } from "../../support/case-of.ts";
import { action, acts, also, beside, loss, me, tell, teller, usd } from "./summary-parts.ts";

describe("the room of losses", () => {
  it.each([
    [4, 0],
    [5, 1],
    [6, 2],
  ])("of %i losses of one account, or of others, %i find no room", (count, left) => {
    const people = Array.from({ length: count }, (_, i) => `0x${`${i + 1}`.repeat(40)}` as Address);
    const own = tell({ actions: acts("paid"), losses: people.map((to) => loss(1_000_000n, to)) });
    const shown = people.slice(0, 4).map((to) => usd("1", teller.short(to)));
    const more = left === 0 ? [] : [teller.say("summary.lost_more", { count: left }).text];
    const words = [...shown, ...more];
    const told = `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
    expect(own).toEqual({ text: `${me} paid. ${also(told)}`, untrusted: false, cut: left > 0 });
    const others = tell({ actions: acts("paid"), losses: people.map((account) => loss(1_000_000n, vault, account)) });
    const untold = left === 0 ? [] : [teller.say("summary.beside_more", { count: left }).text];
    const clauses = [...people.slice(0, 4).map((account) => `${teller.short(account)} ${usd("1")}`), ...untold];
    expect(others).toEqual({ text: `${me} paid. ${beside(clauses.join("; "))}`, untrusted: false, cut: left > 0 });
  });

  it("tells what others lost behind a remark, and beside who controls others", () => {
    const lost = loss(5_000_000n, vault, carol);
    const clause = `${teller.short(carol)} ${usd("5")}`;
    expect(tell({ actions: acts("paid"), losses: [lost], remark: "Beware." }).text).toBe(
      `${me} paid. Beware. ${beside(clause)}`,
    );
    const changed = action("gave it away", { control: true, subject: bob });
    expect(tell({ actions: [...acts("paid"), changed], losses: [lost] }).text).toBe(
      `${me} paid. ${beside(`${teller.short(bob)} gave it away; ${clause}`)}`,
    );
    const odd = action("odd", { control: true, subject: carol });
    expect(tell({ actions: [...acts("paid"), changed, odd] }).untrusted).toBe(true);
  });
});
