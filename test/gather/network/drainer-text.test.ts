import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hashDrainers, parseDrainers } from "../../../src/gather/network/drainers/drainer-list.ts";
import type { Address } from "../../../src/kernel/address.ts";

const [a, b, c] = ["1", "2", "3"].map((digit) => `0x${digit.repeat(40)}` as Address) as [Address, Address, Address];

describe("the addresses of a drainer list", () => {
  it.each([
    ["a JSON array", JSON.stringify([c, a, b]), [a, b, c]],
    ["a JSON array with blanks around it", ` \n${JSON.stringify([a])}\n `, [a]],
    ["a JSON object of arrays", JSON.stringify({ base: [b], other: [a, b], none: [] }), [a, b]],
    ["the part of a JSON object that is of addresses", JSON.stringify({ address: [b], domains: ["x.example"] }), [b]],
    ["such a part with another name", JSON.stringify({ version: 3, addresses: [a], combined: {} }), [a]],
    [
      "JSON objects",
      JSON.stringify([
        { address: a, comment: "x" },
        { address: b, date: "soon" },
      ]),
      [a, b],
    ],
    ["lines", `${b}\n${a}`, [a, b]],
    ["lines with remarks, blanks and carriage returns", `# all\r\n\r\n  ${b}  # seen\r\n${a}#\r\n`, [a, b]],
    ["an address that comes twice", `${a}\n${a.toUpperCase().replace("0X", "0x")}`, [a]],
    ["another case", `0x${"AB".repeat(20)}`, [`0x${"ab".repeat(20)}`]],
  ])("are read from %s, in order, each once", (_name, text, addresses) => {
    expect(parseDrainers(text)).toEqual({ addresses, dates: [] });
  });

  it.each([
    ["nothing", ""],
    ["remarks alone", "# none\n\n"],
    ["an empty array", "[]"],
    ["an empty object", "{}"],
    ["JSON that is cut off", `["${a}"`],
    ["an object of something else", JSON.stringify({ base: [a], about: "text" })],
    ["an array of arrays", JSON.stringify([[a]])],
    ["one entry that is no address", `${a}\n0x12`],
    ["one entry that is no text", JSON.stringify([a, 5])],
    ["JSON objects without an address", JSON.stringify([{ url: "x.example" }])],
    ["a JSON text", JSON.stringify(a)],
  ])("are none in %s", (_name, text) => {
    expect(parseDrainers(text)).toBeUndefined();
  });

  const hundred = Array.from({ length: 99 }, (_, i) => `0x${String(i).padStart(40, "0")}`);
  it.each([
    [["null"], 99],
    [["null", `${a}m`], undefined],
  ])("are read beside slips, of which one in a hundred is not too many: %j", (slips, number) => {
    expect(parseDrainers(JSON.stringify({ address: [...hundred, ...slips] }))?.addresses.length).toBe(number);
  });

  it("have dates where the list gives them", () => {
    const dated = [a, b, c].map((address, i) => ({
      address,
      date: ["2018-11-06", "6 May", "2026-02-03T04:05:06Z"][i],
    }));
    const times = [Date.UTC(2018, 10, 6), Date.UTC(2026, 1, 3, 4, 5, 6)];
    expect(parseDrainers(JSON.stringify(dated))).toEqual({ addresses: [a, b, c], dates: times });
  });

  it("have the hash of their lines", () => {
    expect(hashDrainers([a, b])).toBe(createHash("sha256").update(`${a}\n${b}`).digest("hex"));
  });
});
