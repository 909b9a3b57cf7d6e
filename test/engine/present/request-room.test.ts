import { expect, it } from "vitest";
import { AssetNames } from "../../../src/engine/present/amounts/asset-names.ts";
import { tellRequest } from "../../../src/engine/present/preview/requested.ts";
import { limits } from "../../../src/kernel/limits.ts";
import { alice, bob, caseOf } from "../../support/case-of.ts";
import { shippedLabels } from "../../support/labels.ts";
import { shippedTeller } from "../../support/wording.ts";

const teller = shippedTeller();
const policy = { wellKnown: new Set<string>(), suspects: new Set<never>(), unlimited: new Set<bigint>() };
const names = new AssetNames(caseOf(), shippedLabels(), policy, teller);
const [me, other] = [teller.short(alice), teller.short(bob)];
const last = teller.say("preview.unsimulated", {}).text;
const max = limits.previewSummaryCharsMax;
const act = (text: string, subject = me) => ({ subject, text, untrusted: false, amounts: [], context: {} });

/** The summary of what acts of alice, and others of bob, ask for. */
function tell(own: string[], others: string[] = []) {
  const { text, cut } = request([...own.map((text) => act(text)), ...others.map((text) => act(text, other))]);
  return { text, cut };
}

function request(acts: object[], value = 0n) {
  const calls = [{ id: 0, parent: -1, step: null, from: alice, to: bob, value }];
  return tellRequest({
    ...{ tx: { from: alice, to: bob, value, authorizations: [] }, subject: alice, acts, grants: [], calls },
    ...{ told: new Set([0]), refusal: null, names, teller, nameOf: teller.short },
  } as never);
}
const frame = tell(["x"]).text.length - 1;
const filled = (length: number) => "x".repeat(length);

it("a request is as long as the limit, and no longer", () => {
  const whole = tell([filled(max - frame)]);
  expect([whole.text.length, whole.cut]).toEqual([max, false]);
  const more = teller.say("preview.asks_more", { count: 1 }).text;
  expect(tell([filled(max - frame + 1)])).toEqual({
    text: `${me} ${teller.say("preview.asks", { acts: { text: more, untrusted: false } }).text}. ${last}`,
    cut: true,
  });
});

it.each([
  ["one of each", 1],
  ["two of each", 2],
  ["three of each", 3],
])("what others do goes before anything of its own: %s", (_count, count) => {
  const own = Array.from({ length: count }, (_, i) => `pay ${i}`);
  const others = Array.from({ length: count }, (_, i) => `${filled(max)} ${i}`);
  const alone = tell(own);
  expect(tell(own, others)).toEqual({ text: alone.text, cut: true });
  expect(tell(own, ["get it"])).toEqual({
    text: alone.text.replace(` ${last}`, ` For ${other} it asks to get it. ${last}`),
    cut: false,
  });
});

it("the list has at most as many things as its limit", () => {
  const asks = (count: number) => request(Array.from({ length: count }, (_, i) => act(`pay ${i}`))).asks;
  expect([asks(limits.asksMax), asks(limits.asksMax + 1)].map(({ length }) => length)).toEqual([
    ...[limits.asksMax, limits.asksMax],
  ]);
  expect(asks(limits.asksMax + 1).at(-1)?.text).toBe(`pay ${limits.asksMax - 1}`);
});

it.each<[bigint, bigint, string[]]>([
  [0n, 0n, []],
  [0n, 5n, []],
  [1n, 0n, ["1 wei of"]],
  [5n, 5n, []],
  [5n, 4n, ["1 wei of"]],
  [5n, 6n, []],
])("of %i wei, of which acts tell %i, what they do not tell is told: %j", (value, told, amounts) => {
  const { asks } = request([{ ...act("pay"), amounts: [{ key: "native", amount: told }] }], value);
  const along = amounts.map((amount) =>
    teller.say("preview.send_along", { amount: { text: `${amount} ETH`, untrusted: false } }),
  );
  expect(asks.slice(1)).toEqual(along);
});
