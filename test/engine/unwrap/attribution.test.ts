import { encodeBuilderCodeSuffix } from "@x402/extensions/builder-code";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attributionMarker, attributionsOf, readAttribution } from "../../../src/engine/unwrap/attribution.ts";
import type { ActorCall } from "../../../src/model/match.ts";
import { alice, bob } from "../../support/case-of.ts";

const hex = (text: string) => Buffer.from(text).toString("hex");
const byte = (value: number) => value.toString(16).padStart(2, "0");
const listed = (codes: string) => `${hex(codes)}${byte(codes.length)}`;
const ended = (digits: string, schema: number) => `0xdddddddd${digits}${byte(schema)}${attributionMarker}`;
const read = (digits: string, schema: number) => readAttribution(ended(digits, schema));
const cbor = (digits: string) => read(`${digits}${(digits.length / 2).toString(16).padStart(4, "0")}`, 2);
const code = (text: string, role: "app" | "wallet" | "service" | null = null) => ({ code: text, role, registry: null });
const registry = "cc".repeat(20);

describe("an ERC-8021 suffix", () => {
  it("is read as the examples of the ERC say", () => {
    expect(read(listed("baseapp"), 0)).toEqual({ schema: 0, codes: [code("baseapp")], leftOut: 0 });
    const other = { chainId: 8453, address: `0x${registry}` };
    expect(read(`${registry}210502${listed("baseapp,morpho")}`, 1)).toEqual({
      schema: 1,
      codes: [
        { code: "baseapp", role: null, registry: other },
        { code: "morpho", role: null, registry: other },
      ],
      leftOut: 0,
    });
    expect(cbor("a161616762617365617070")?.codes).toEqual([code("baseapp", "app")]);
    expect(cbor("a361616762617365617070617765707269767961738269666c617368626f747365746974616e")?.codes).toEqual([
      code("baseapp", "app"),
      code("privy", "wallet"),
      code("flashbots", "service"),
      code("titan", "service"),
    ]);
  });

  it("tells the registries of roles", () => {
    // { a: "x", w: "y", r: { a: { c: "0x2105", a: registry }, w: { c: "?" } } }
    const address = hex(`0x${registry}`);
    const fields = `a361616178617761796172a26161a2616366${hex("0x2105")}6161782a${address}6177a1616361${hex("?")}`;
    expect(cbor(fields)?.codes).toEqual([
      { code: "x", role: "app", registry: { chainId: 8453, address: `0x${registry}` } },
      code("y", "wallet"),
    ]);
  });

  it("is read as facilitators of x402 write it", () => {
    const word = fc.stringMatching(/^[a-z0-9_]{1,32}$/);
    fc.assert(
      fc.property(fc.option(word), fc.option(word), fc.uniqueArray(word, { maxLength: 11 }), (a, w, s) => {
        fc.pre(a !== null || w !== null || s.length > 0);
        const data = { ...(a === null ? {} : { a }), ...(w === null ? {} : { w }), ...(s.length === 0 ? {} : { s }) };
        const suffix = encodeBuilderCodeSuffix(data);
        expect(readAttribution(`0x12345678${suffix.slice(2)}`)).toEqual({
          schema: 2,
          codes: [
            ...(a === null ? [] : [code(a, "app")]),
            ...(w === null ? [] : [code(w, "wallet")]),
            ...s.map((one) => code(one, "service")),
          ],
          leftOut: 0,
        });
      }),
    );
  });

  it("shows only codes of the registry's form, and counts the others", () => {
    const bad = ["Visit", "a.example", "x\u202e", "", "a b", "c".repeat(33), "a-b", "\u001b[31m"];
    expect(read(`${hex(["ok", ...bad].join(","))}${byte(hex(["ok", ...bad].join(",")).length / 2)}`, 0)).toEqual({
      schema: 0,
      codes: [code("ok")],
      leftOut: bad.length,
    });
    const many = Array.from({ length: 20 }, (_, i) => `c${i}`);
    expect(read(listed(many.join(",")), 0)).toMatchObject({ codes: { length: 16 }, leftOut: 4 });
    // { a: 1, s: [2, "x", ["y"]] }: no texts.
    expect(cbor("a26161016173830261788161 79".replace(" ", ""))).toEqual({
      schema: 2,
      codes: [code("x", "service")],
      leftOut: 3,
    });
  });

  it("without codes, or of a schema that nobody here knows, is there all the same", () => {
    expect(read("00", 0)).toEqual({ schema: 0, codes: [], leftOut: 0 });
    expect(read("aabb0002", 9)).toEqual({ schema: 9, codes: [], leftOut: 0 });
    expect(cbor("ff")).toEqual({ schema: 2, codes: [], leftOut: 0 });
    expect(cbor("80")).toEqual({ schema: 2, codes: [], leftOut: 0 });
  });

  it.each<[string, string]>([
    ["no marker", `0xdddddddd${listed("baseapp")}00`],
    ["a marker elsewhere", `${ended(listed("baseapp"), 0)}00`],
    ["a marker alone", `0x${attributionMarker}`],
    ["a schema alone", `0x00${attributionMarker}`],
    ["a length of more than there is", ended("626173ff", 0)],
    ["half a registry", `0x210502${listed("baseapp")}01${attributionMarker}`],
    ["no chain of a registry", ended(`${registry}00${listed("baseapp")}`, 1)],
    ["a chain beyond all numbers", ended(`${registry}${"ff".repeat(32)}20${listed("baseapp")}`, 1)],
    ["CBOR that is longer than the data", ended("a1ffff", 2)],
    ["an unknown schema whose data is missing", ended("ffff", 9)],
  ])("is none: %s", (_what, data) => {
    expect(readAttribution(data)).toBeUndefined();
  });

  it("is read or not, whatever the bytes before the marker", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), fc.constantFrom(0, 1, 2, 3), (bytes, schema) => {
        const found = readAttribution(`0x${Buffer.from(bytes).toString("hex")}${byte(schema)}${attributionMarker}`);
        for (const one of found?.codes ?? []) expect(one.code).toMatch(/^[a-z0-9_]{1,32}$/);
      }),
    );
  });
});

describe("the calls that carry one", () => {
  const suffix = (text: string) => `${listed(text)}00${attributionMarker}`;
  const call = (id: number, parent: number, input: string, parts: Partial<ActorCall> = {}) =>
    ({ id, parent, input, step: null, from: alice, to: bob, ...parts }) as ActorCall;
  const told = (...calls: ActorCall[]) =>
    attributionsOf(calls).map(({ call: id, attribution }) => [id, ...attribution.codes.map((one) => one.code)]);

  it("are each told with its own", () => {
    const [one, two] = [`0x11111111${suffix("one")}`, `0x22222222${suffix("two")}`];
    expect(told(call(0, -1, `0x00000000${suffix("bundler")}`), call(1, 0, one), call(2, 0, two))).toEqual([
      [0, "bundler"],
      [1, "one"],
      [2, "two"],
    ]);
  });

  it("are not told for the end of their last argument", () => {
    const inner = `0x22222222${suffix("inner")}`;
    expect(told(call(0, -1, `0x11111111${inner.slice(2)}`), call(1, 0, inner))).toEqual([[1, "inner"]]);
  });

  it("are no creations and no steps of a program", () => {
    const input = `0x11111111${suffix("one")}`;
    expect(told(call(0, -1, input, { to: null }), call(1, 0, input, { step: "SWAP" }))).toEqual([]);
  });
});
