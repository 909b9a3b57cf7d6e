import { describe, expect, it } from "vitest";
import { AssetNames } from "../../../src/engine/present/amounts/asset-names.ts";
import { quoted } from "../../../src/engine/present/phrase.ts";
import { contractOf, isEther, plain, ValueWriter } from "../../../src/engine/present/values.ts";
import { type Address, checksum } from "../../../src/kernel/address.ts";
import { unlimitedThreshold } from "../../../src/kernel/amount.ts";
import { limits } from "../../../src/kernel/limits.ts";
import { tierRank } from "../../../src/rules/ruleset/actions.ts";
import { alice, bob, caseOf, metadata, token, usdc, vault, weth, zero } from "../../support/case-of.ts";
import { shippedLabels } from "../../support/labels.ts";
import { shippedTeller } from "../../support/wording.ts";

const teller = shippedTeller();
const labels = shippedLabels();
const short = teller.short(bob);
const trusted = (text: string) => ({ text, untrusted: false });
const native = `0x${"e".repeat(40)}`;

function writerOf() {
  const policy = { wellKnown: new Set<string>(), suspects: new Set<never>(), unlimited: new Set<bigint>([7n]) };
  const names = new AssetNames(caseOf({ tokens: { [token]: metadata("ODD", 2) } }), labels, policy, teller);
  const flows = { side: (_context: unknown, side: string) => trusted(`flow ${side}`) };
  return { names, writer: new ValueWriter(labels, names, { teller, flows } as never) };
}

interface How {
  zeros?: boolean;
  facet?: string | null;
  tier?: number;
}

function tell(capture: object, { zeros = false, facet = null, tier = tierRank("flow") }: How = {}) {
  const context = { subject: alice, call: { to: vault }, logsWith: () => [{}, {}], admits: () => true };
  return writerOf().writer.value(capture as never, { rule: { tier }, context, facet, zeros } as never);
}
const of = (kind: string, value: unknown, more: object = {}) => ({ kind, get: () => value, ...more });

describe("a value in words", () => {
  const address = (value: unknown, sender: Address[] = []) => of("address", value, { sender });

  it.each<[object, How, string | undefined]>([
    [of("integer", 1_500n), {}, "1,500"],
    [of("number", 1_500n), {}, "1500"],
    [of("boolean", true), {}, teller.words("value.yes")],
    [of("boolean", false), {}, teller.words("value.no")],
    [of("boolean", 1n), {}, teller.words("value.no")],
    [of("time", 1_772_366_400n, { clock: true }), {}, "2026-03-01 12:00:00Z"],
    [of("time", 1_772_366_400n, { clock: false }), {}, "2026-03-01"],
    [of("duration", 60n), {}, "1 minute"],
    [of("quantity", 15n, { decimals: 1, unit: "h" }), {}, "1.5 h"],
    [of("percent", 15n, { scale: 1_000n }), {}, "1.5%"],
    [of("enum", 1n, { values: new Map([["1", "one"]]), other: "else" }), {}, "one"],
    [of("enum", 2n, { values: new Map([["1", "one"]]), other: "else" }), {}, "else"],
    [of("enum", 2n, { values: new Map(), other: null }), {}, undefined],
    [of("bytes", `0x${"ab".repeat(32)}`), {}, `0x${"ab".repeat(32)}`],
    [of("bytes", `0x${"ab".repeat(65)}`), {}, teller.say("value.bytes", { hex: "0xabab…abab", count: 65 }).text],
    [of("text", "hi"), {}, '"hi"'],
    [of("chain", 8453n, { scheme: "none" }), {}, teller.say("value.chain", { id: trusted("8453") }).text],
    [
      of("chain", 12_345_678_901_234_567_890_123n, { scheme: "none" }),
      {},
      teller.say("value.chain", { id: trusted("12345678901234567890") }).text,
    ],
    [
      of("chain", "x".repeat(25), { scheme: "none" }),
      {},
      teller.say("value.chain", { id: trusted(`"${"x".repeat(23)}…"`) }).text,
    ],
    [of("chain", "\u200b", { scheme: "none" }), {}, undefined],
    [of("chain", 8453n, { scheme: "eip155" }), {}, "Base"],
    [{ kind: "count", event: { read: () => [] }, gate: null, where: null }, {}, "2"],
    [of("token", "native"), {}, "ETH"],
    [of("token", native), {}, "ETH"],
    [of("token", usdc), {}, "USDC"],
    [of("token", "x"), {}, undefined],
    [of("integer", undefined), {}, undefined],
    [{ kind: "const", text: "words" }, {}, "words"],
    [{ kind: "const", text: "" }, {}, undefined],
    [{ kind: "flow", side: "gets" }, {}, "flow gets"],
    [address(bob), {}, short],
    [address(bob), { facet: "full" }, checksum(bob)],
    [address(weth), {}, "WETH9"],
    [address(usdc), {}, "USDC"],
    [address(zero), {}, undefined],
    [address("native"), {}, undefined],
    [address(bob, [bob]), {}, teller.words("value.sender")],
    [address(bob, [alice]), {}, short],
    [address(zero), { zeros: true }, zero],
    [address(bob), { zeros: true }, short],
    [address(usdc), { zeros: true }, `USDC (${teller.short(usdc)})`],
    [address("native"), { zeros: true }, undefined],
  ])("%#", (capture, how, text) => {
    expect(tell(capture, how)?.text).toBe(text);
  });

  it("is a stranger's where a stranger wrote it", () => {
    const untrusted = (capture: object) => tell(capture)?.untrusted;
    expect(untrusted(of("text", "hi"))).toBe(true);
    expect(untrusted(of("chain", "hi", { scheme: "none" }))).toBe(true);
    expect(untrusted(of("bytes", "0x12"))).toBe(false);
    expect(untrusted(of("chain", 1n, { scheme: "none" }))).toBe(false);
    expect(untrusted(of("token", token))).toBe(true);
    expect([plain(undefined), plain(""), plain("x")]).toEqual([undefined, undefined, trusted("x")]);
  });

  it("is of an NFT where its collection and number are known", () => {
    const nft = (collection: unknown, id: unknown) =>
      tell({ kind: "nft", token: () => collection, id: () => id })?.text;
    expect(nft(bob, 7n)).toBe(`NFT #7 of ${short}`);
    expect([nft(zero, 7n), nft(bob, "7"), nft(undefined, 7n), nft(bob, undefined)]).toEqual(Array(4).fill(undefined));
  });
});

describe("an amount in words", () => {
  const amount = (value: unknown, asset: unknown = usdc, more: object = {}) => ({
    ...{ kind: "amount", get: () => value, token: () => asset, cap: null, limit: null, ...more },
  });
  const cap = (from: bigint, word = "most of its") => ({ cap: { from, word } });
  const act = { tier: tierRank("flow") + 1 };
  const all = teller.words("asset.all");

  it.each<[object, How, string | undefined]>([
    [amount(5_000_000n), {}, "5 USDC"],
    [amount(10n ** 18n, "native"), {}, "1 ETH"],
    [amount(10n ** 18n, native), {}, "1 ETH"],
    [amount(5n, "x"), {}, undefined],
    [amount(5n, null), {}, undefined],
    [amount("5"), {}, undefined],
    [amount(0n), {}, undefined],
    [amount(0n), { zeros: true }, "0 USDC"],
    [amount(7n), {}, "unlimited USDC"],
    [amount(unlimitedThreshold), {}, `${all} USDC`],
    [amount(unlimitedThreshold), act, "unlimited USDC"],
    [amount(5_000_000n, usdc, cap(5_000_000n)), {}, "most of its USDC"],
    [amount(5_000_000n, usdc, cap(5_000_000n)), act, "most of its USDC"],
    [amount(4_999_999n, usdc, cap(5_000_000n)), {}, "5 USDC"],
    [amount(4_000_000n, usdc, cap(5_000_000n)), {}, "4 USDC"],
    [amount(5_000_000n, usdc, { limit: "least" }), {}, "at least 5 USDC"],
    [amount(5_000_000n, usdc, { limit: "most" }), {}, "at most 5 USDC"],
    [amount(0n, usdc, { limit: "most" }), {}, undefined],
    [amount(0n, usdc, { limit: "least" }), {}, "USDC"],
    [amount(unlimitedThreshold, usdc, { limit: "most" }), {}, "USDC"],
    [amount(1n, usdc, { limit: "least" }), {}, "at least 0.000001 USDC"],
  ])("%#", (capture, how, text) => {
    expect(tell(capture, how)?.text).toBe(text);
  });

  it("is a stranger's word where the token's name is", () => {
    expect(tell(amount(unlimitedThreshold, token))?.untrusted).toBe(true);
    expect(tell(amount(5n, token, { limit: "least" }))?.untrusted).toBe(true);
  });

  it("is of ether by whatever stands for it, and of a contract never by nobody", () => {
    expect([isEther("native"), isEther(native), isEther(zero), isEther(usdc), isEther(5n)]).toEqual([
      ...[true, true, true, false, false],
    ]);
    expect([contractOf(usdc), contractOf(zero), contractOf("x"), contractOf(undefined)]).toEqual([
      ...[usdc, undefined, undefined, undefined],
    ]);
  });
});

describe("a list in words", () => {
  const said = (text: string) => ({ kind: "const", text });
  const field = (label: string | null, value: object, more: object = {}) => ({
    ...{ kind: "field", label, when: null, each: null, value, ...more },
  });
  const list = (...items: object[]) => tell({ kind: "list", items });

  it("tells those that can be told", () => {
    expect(list(said("a"), said(""), of("text", "b"), said("c"))).toEqual({ text: 'a, "b" and c', untrusted: true });
    expect(list(said(""))).toBeUndefined();
  });

  it("counts labelled ones for which a sentence has no room, and no others", () => {
    const long = (length: number) => field("x", said("y".repeat(length - 2)));
    const half = limits.fieldsCharsMax / 2;
    const whole = list(long(half), long(half));
    expect(whole?.text).toBe(`x ${"y".repeat(half - 2)} and x ${"y".repeat(half - 2)}`);
    const more = (count: number) => teller.say("value.more_fields", { count }).text;
    expect(list(long(half), long(half + 1))?.text).toBe(`x ${"y".repeat(half - 2)} and ${more(1)}`);
    expect(list(long(half), long(half + 1), long(half), long(9))?.text).toBe(
      `x ${"y".repeat(half - 2)}, x ${"y".repeat(half - 2)} and ${more(2)}`,
    );
    expect(list(long(limits.fieldsCharsMax + 1))?.text).toHaveLength(limits.fieldsCharsMax + 1);
    expect(list(said("y".repeat(half)), field(null, said("z".repeat(half + 1))))?.text).toHaveLength(2 * half + 6);
    expect(list(long(half), said("z".repeat(half + 1)))?.text).toHaveLength(2 * half + 6);
  });

  it("tells no amount of what it only counts", () => {
    const { names, writer } = writerOf();
    const listed = names.record();
    const amount = { kind: "amount", get: () => 5n, token: () => usdc, cap: null, limit: null };
    const items = [field("x", said("y".repeat(limits.fieldsCharsMax - 2))), field("sum", amount), said("z")];
    writer.value(
      { kind: "list", items } as never,
      { rule: { tier: 9 }, context: {}, facet: null, zeros: false } as never,
    );
    expect(listed).toEqual([]);
    const mark = names.mark();
    names.amount(usdc, 1n);
    names.amount(null, 2n);
    names.rewind(mark + 1);
    expect([mark, listed]).toEqual([0, [{ key: usdc, amount: 1n }]]);
  });

  it("tells a field with its label and each of its elements, and of labelled ones zeros too", () => {
    const zeroed = of("address", zero, { sender: [] });
    expect([tell(field("to", zeroed))?.text, tell(field(null, zeroed))?.text]).toEqual([`to ${zero}`, undefined]);
    expect(tell(field(null, zeroed), { zeros: true })?.text).toBe(zero);
    const each = (count: number) => ({
      each: { kind: "array", get: () => Array.from({ length: count }, (_, i) => BigInt(i)) },
    });
    const item = { kind: "integer", get: ({ item: one }: { item: bigint }) => one };
    expect(tell(field("n", item, each(2)))).toEqual(trusted("n 0 and 1"));
    expect(tell(field(null, item, each(limits.toldElementsMax)))?.text).toBe("0, 1, 2 and 3");
    for (const count of [1, 2])
      expect(tell(field("n", item, each(limits.toldElementsMax + count)))?.text).toBe(
        `n 0, 1, 2, 3 and ${teller.say("value.more", { count }).text}`,
      );
    expect(tell(field("n", item, each(0)))).toBeUndefined();
  });
});

describe("text in quotes", () => {
  it("is sixty characters long at most, or as many as asked for", () => {
    expect(quoted("x".repeat(60))?.text).toBe(`"${"x".repeat(60)}"`);
    expect(quoted("x".repeat(61))?.text).toBe(`"${"x".repeat(59)}…"`);
    expect(quoted("xyz", 2)?.text).toBe('"x…"');
    expect([quoted(""), quoted("\u200b")]).toEqual([undefined, undefined]);
  });

  it("has long hex shortened, and is not read further than 4,096 characters", () => {
    expect(quoted(`to 0x${"ab".repeat(20)}`)?.text).toBe('"to 0xabab…abab"');
    expect(quoted(`to ${"ab".repeat(20)}`)?.text).toBe('"to ababab…abab"');
    expect(quoted(`to 0x${"ab".repeat(19)}a`)?.text).toBe(`"to 0x${"ab".repeat(19)}a"`);
    expect(quoted(`${"\u200b".repeat(4_095)}a`)?.text).toBe('"a"');
    expect(quoted(`${"\u200b".repeat(4_096)}a`)).toBeUndefined();
    expect(quoted('a "b" <c> {d}')?.text).toBe("\"a 'b' 'c' 'd'\"");
  });
});
