import { describe, expect, it } from "vitest";
import { castOf } from "../../../src/serve/picture/cast.ts";
import { layOut } from "../../../src/serve/picture/lanes.ts";
import { drawPicture, narrowSize, pictureFile, wideSize } from "../../../src/serve/picture/picture.ts";
import { others } from "../../../src/serve/picture/rows.ts";
import { hostilePage, recordedPages } from "../../support/recorded-pictures.ts";
import { overlapsIn, textBoxes } from "./text-boxes.ts";

const pages = recordedPages();
const sizes = [wideSize, narrowSize];
const swap = [...pages].find(([hash]) => hash.startsWith("0x1dadb993"))?.[1] as never as NonNullable<
  ReturnType<typeof pages.get>
>;
const find = (start: string) => [...pages].find(([hash]) => hash.startsWith(start))?.[1] as typeof swap;

describe("a picture of every recording", () => {
  it("has no two texts on each other, at both widths", () => {
    const found = [...pages].flatMap(([hash, page]) =>
      sizes.flatMap((size) => overlapsIn(drawPicture(page, size)).map((pair) => `${hash} ${size.id}: ${pair}`)),
    );
    expect(found).toEqual([]);
  });

  it("would be found out if two texts stood on each other", () => {
    const drawn = drawPicture(swap, wideSize);
    const [first, second] = [...drawn.matchAll(/<text x="([\d.]+)" y="([\d.]+)"/g)];
    const planted = drawn.replace(second?.[0] as string, first?.[0] as string);
    expect(overlapsIn(planted)).not.toEqual([]);
    expect(overlapsIn(drawn.replace(/<text x="[\d.]+"/, '<text x="2000"'))).not.toEqual([]);
  });

  it("is the same bytes each time", () => {
    for (const page of pages.values()) {
      expect(pictureFile(structuredClone(page))).toBe(pictureFile(page));
      expect(drawPicture(structuredClone(page), narrowSize)).toBe(drawPicture(page, narrowSize));
    }
  });

  it("accounts for every movement, at both widths", () => {
    for (const page of pages.values())
      for (const size of sizes) {
        const cast = castOf(page);
        const { rows } = layOut(page, cast, size);
        const numbers = rows.flatMap((row) => (row.kind === "moves" || row.kind === "rest" ? row.legs : []));
        expect(numbers.map(({ number }) => number).sort((a, b) => a - b)).toEqual(cast.legs.map((_, i) => i + 1));
        expect(rows.length).toBeLessThanOrEqual(size.rowsMax + 10);
      }
  });

  it("leaves nothing over: the net changes of all accounts are zero for each token", () => {
    let tokens = 0;
    for (const page of pages.values()) {
      const sums = new Map<string, bigint>();
      for (const { net } of castOf(page).accounts.values())
        for (const [token, units] of net) sums.set(token, (sums.get(token) ?? 0n) + units);
      tokens += sums.size;
      expect([...sums.values()].filter((sum) => sum !== 0n)).toEqual([]);
    }
    expect(tokens).toBeGreaterThan(200);
  });

  it("has at most 9 lanes, or 4, the subject leftmost, and never cuts an address", () => {
    for (const page of pages.values())
      for (const size of sizes) {
        const { lanes } = layOut(page, castOf(page), size);
        expect(lanes.length).toBeLessThanOrEqual(size.lanesMax);
        if (lanes.includes(page.facts.subject)) expect(lanes[0]).toBe(page.facts.subject);
        const shown = textBoxes(drawPicture(page, size)).map(({ text }) => text);
        for (const lane of lanes.filter((one) => one !== others && !/^0x0{40}$/.test(one)))
          expect(shown).toContain(`${lane.slice(0, 6)}…${lane.slice(-4)}`);
      }
  });

  it("says for a screen reader what it shows", () => {
    for (const page of pages.values()) {
      const drawn = drawPicture(page, wideSize);
      expect(drawn).toMatch(/^<svg class="pic wide" role="img" aria-labelledby="t-wide d-wide" /);
      expect(drawn).toMatch(/<title id="t-wide">Who moved what to whom<\/title><desc id="d-wide">[^<]+<\/desc>/);
    }
  });
});

describe("a picture", () => {
  const textsOf = (page: typeof swap) => textBoxes(drawPicture(page, wideSize)).map(({ text }) => text);

  it("numbers the movements in order and shows the amounts with six digits", () => {
    const texts = textsOf(swap);
    expect(texts).toContain("2,043,496 TYBG");
    expect(texts).toContain("0.168876 ETH");
    expect(texts.filter((text) => /^\d+$/.test(text))).toEqual(Array.from({ length: 13 }, (_, i) => String(i + 1)));
  });

  it("tells the net change of each account, with its sign", () => {
    expect(textsOf(swap)).toEqual(expect.arrayContaining(["Net", "−2,043,496 TYBG", "+0.168876 ETH", "±0"]));
  });

  it("folds accounts beyond the lanes, and what they do among them", () => {
    const texts = textBoxes(drawPicture(swap, narrowSize)).map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(["5 other", "3–9", "7 among them"]));
  });

  it("sums what repeats where there are too many rows, and counts the rest", () => {
    const texts = textsOf(find("0x6e52d9bc"));
    expect(texts).toEqual(expect.arrayContaining(["0.00160732 WETH (sum of 27)", "35 more, in the table"]));
  });

  it("draws a right as a dashed arrow from its owner to who may use it", () => {
    const drawn = drawPicture(find("0x17514223"), wideSize);
    expect(drawn).toContain('<g class="right">');
    expect(textsOf(find("0x17514223"))).toEqual(expect.arrayContaining(["A", "may spend unlimited USDC"]));
  });

  it("marks what failed, and says why where that is known", () => {
    const reverted = find("0xed2d1816");
    expect(drawPicture(reverted, wideSize)).toContain('class="cross"');
    expect(textsOf(reverted)).toContain("failed");
    const [failure] = reverted.facts.failures;
    const facts = { ...reverted.facts, failures: [{ ...failure, reason: '"TooLate"', untrusted: true }] as never };
    expect(textsOf({ ...reverted, facts })).toContain("failed: “TooLate”");
  });

  it("says that nothing moved where nothing did", () => {
    expect(textsOf(find("0x399c77d9"))).toContain("Nothing moved");
    expect(textsOf(find("0x6565ce88"))).toContain("No movement was seen");
  });

  it("carries its styles as a file and refers to nothing outside", () => {
    const file = pictureFile(swap);
    expect(file).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(file).toContain("prefers-color-scheme:dark");
    expect(file.replace("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|url\(|href|@import|<script/);
  });

  it("makes hostile text inert and keeps the ellipsis inside of the quotes", () => {
    for (const size of sizes) {
      const drawn = drawPicture(hostilePage(swap), size);
      const names = new Set([...drawn.matchAll(/<\/?([a-zA-Z]+)/g)].map(([, name]) => name));
      expect([...names].sort()).toEqual(
        ["circle", "desc", "g", "path", "rect", "svg", "text", "title", "tspan"].filter((name) => names.has(name)),
      );
      expect(drawn).not.toMatch(/[\u202a-\u202e\u0000-\u0008]/);
      expect(overlapsIn(drawn)).toEqual([]);
    }
    const texts = textsOf(hostilePage(swap));
    expect(texts.some((text) => /“[^”]*…[\u2069]?”/.test(text))).toBe(true);
  });
});
