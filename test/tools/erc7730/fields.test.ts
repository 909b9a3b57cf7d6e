import { describe, expect, it } from "vitest";
import { fieldsOf, intentsOf } from "./read-intents.ts";

/** The labels of the fields that are told, and what is reported. */
function told(fields: unknown, format: object = {}) {
  const { intent, reported } = fieldsOf("uint256 a,uint256 b,(uint256 c,(uint256 d) e) o", fields, {}, format);
  return { labels: intent?.details.map(({ label }) => label), reported };
}

const raw = (path: string, more: object = {}) => ({ path, label: `of ${path}`, ...more });

describe("fields", () => {
  it("are read in order, and groups opened", () => {
    const group = { path: "o", fields: [raw("c"), { path: "e", fields: [raw("d")] }, raw("#.a")] };
    expect(told([raw("b"), group])).toEqual({ labels: ["of b", "of c", "of d", "of #.a"], reported: [] });
    const unnamed = { fields: [raw("a"), { fields: [raw("b")] }] };
    expect(told([unnamed])).toEqual({ labels: ["of a", "of b"], reported: [] });
    const within = { path: "o", fields: [{ fields: [raw("c")] }] };
    expect(told([within])).toEqual({ labels: ["of c"], reported: [] });
  });

  it("nest at most three times", () => {
    const nested = (levels: number): object => (levels === 0 ? raw("a") : { fields: [nested(levels - 1)] });
    expect(told([nested(3)])).toEqual({ labels: ["of a"], reported: [] });
    const place = "0/fields/0/fields/0/fields/0";
    expect(told([nested(4)])).toEqual({ labels: [], reported: [`${place}: fields that nest too deep`] });
  });

  it("are none, or 64 at most", () => {
    expect(told([])).toEqual({ labels: [], reported: [] });
    expect(told({})).toEqual({ labels: [], reported: ["fields: fields that are no list"] });
    expect(fieldsOf("uint256 a", undefined).intent?.details).toEqual([]);
    const hidden = raw("a", { visible: "never" });
    expect(told([...Array(63).fill(hidden), raw("b")])).toEqual({ labels: ["of b"], reported: [] });
    expect(told([...Array(63).fill(hidden), raw("b"), raw("a"), raw("a")])).toEqual({
      labels: ["of b"],
      reported: ["64: more than 64 fields", "65: more than 64 fields"],
    });
  });

  it("are refused where they are none", () => {
    expect(told([5, { path: 5, label: "x" }, raw("a")])).toEqual({
      labels: ["of a"],
      reported: ["0: a field that is no object", "1/path: a path that is no text"],
    });
  });

  it("are required or excluded by their paths, however these are written", () => {
    const all = [raw("a"), raw("b"), raw("#.o.c"), { label: "fixed", value: 5 }];
    expect(told(all, { required: ["#.b", "o.c"] })).toEqual({
      labels: ["of b", "of #.o.c", "of a", "fixed"],
      reported: [],
    });
    expect(told(all, { excluded: ["#.b", "gone"] })).toEqual({ labels: ["of a", "of #.o.c", "fixed"], reported: [] });
    expect(told(all, { required: [] })).toEqual({ labels: ["of a", "of b", "of #.o.c", "fixed"], reported: [] });
    expect(told([raw("a")], { required: ["a", "gone", 5] })).toEqual({
      labels: ["of a"],
      reported: ["required/1: a required field without a format", "required/2: a required field without a format"],
    });
    expect(told([raw("a")], { required: "a", excluded: "a" })).toEqual({
      labels: ["of a"],
      reported: ["required: paths that are no list", "excluded: paths that are no list"],
    });
  });

  it("that are excluded count as used, whatever says how they are shown", () => {
    const field = raw("a", { format: "unit", params: { base: "d" }, visible: { ifNotIn: [1] } });
    expect(told([field, raw("b")], { excluded: ["a"] })).toEqual({
      labels: ["of b"],
      reported: ["0/visible: a key that has no meaning here"],
    });
  });
});

describe("a definition", () => {
  const read = (field: object, definitions: object) => {
    const display = { formats: { "act(uint256 a)": { intent: "Act", fields: [field] } }, definitions };
    const { intents, reported } = intentsOf(undefined, { display });
    return [...(intents[0]?.details.map(({ label }) => label) ?? []), ...reported];
  };
  const follow = (name: string, more: object = {}) => ({ $ref: `$.display.definitions.${name}`, ...more });
  const place = "/display/definitions";

  it("gives what a field does not say, also through others", () => {
    const sum = { label: "sum", format: "unit", params: { base: "d" } };
    expect(read(follow("sum", { path: "a" }), { sum })).toEqual(["sum"]);
    expect(read(follow("sum", { path: "a", label: "own" }), { sum })).toEqual(["own"]);
    expect(read({ path: "a", $ref: "#/display/definitions/sum" }, { sum })).toEqual(["sum"]);
    const chain = { one: follow("two"), two: follow("three"), three: sum };
    expect(read(follow("one", { path: "a" }), chain)).toEqual(["sum"]);
    const longer = { ...chain, three: follow("four"), four: sum };
    expect(read(follow("one", { path: "a" }), longer)).toEqual([
      `${place}/three/$ref: references that follow one another too long`,
      `${place}/four: defined, but nothing that is told refers to it`,
    ]);
  });

  it("is refused where it is none", () => {
    const circle = { one: follow("two"), two: follow("one") };
    expect(read(follow("one", { path: "a" }), circle)).toEqual([`${place}/two/$ref: references that go in a circle`]);
    const at = "/display/formats/act(uint256 a)/fields/0/$ref";
    expect(read(follow("gone", { path: "a" }), {})[0]).toBe(`${at}: a reference to a definition that is not there`);
    expect(read(follow("text", { path: "a" }), { text: "x" })[0]).toBe(
      `${at}: a reference to a definition that is not there`,
    );
    expect(read({ path: "a", $ref: "$.metadata.owner" }, {})[0]).toBe(
      `${at}: a reference to something else than a definition`,
    );
  });
});
