import { describe, expect, it } from "vitest";
import { beyond, joinAnswers } from "../../../src/gather/preview/lookup-merge.ts";
import type { LookupPlan } from "../../../src/model/lookup-plan.ts";

describe("a second lookup", () => {
  const plan = (parts: {
    tokens?: string[];
    reads?: string[];
    verify?: string[];
    histories?: string[];
    listed?: string[];
  }) =>
    ({
      tokens: parts.tokens ?? [],
      reads: (parts.reads ?? []).map((read) => ({ to: read.slice(0, 1), data: read.slice(1) })),
      risk: {
        verify: (parts.verify ?? []).map(([address, selector, owner]) => ({ address, selector, owner })),
        ...{ histories: parts.histories ?? [], listed: parts.listed ?? [], place: "p" },
      },
    }) as unknown as LookupPlan;

  it("asks for what the first did not ask", () => {
    const first = plan({ tokens: ["a"], reads: ["xy"], verify: ["123"], histories: ["h"], listed: ["l"] });
    expect(beyond(first, first)).toBeNull();
    expect(beyond(plan({}), first)).toBeNull();
    const second = plan({
      ...{ tokens: ["a", "b"], reads: ["xy", "xz", "yy"], verify: ["123", "124", "133", "223"] },
      ...{ histories: ["h", "i"], listed: ["l", "m"] },
    });
    expect(beyond(second, first)).toEqual(
      plan({ tokens: ["b"], reads: ["xz", "yy"], verify: ["124", "133", "223"], histories: ["i"], listed: ["m"] }),
    );
    for (const part of ["tokens", "reads", "verify", "histories", "listed"])
      expect(beyond(plan({ [part]: ["new"] }), first)).toEqual(plan({ [part]: ["new"] }));
  });

  it("is joined to the first", () => {
    const risk = (name: string) => ({
      verification: { [name]: 1 },
      history: { [name]: 2 },
      drainers: { status: name, asked: [name, "both"], hits: [name] },
    });
    const answers = (name: string, more: object = { risk: risk(name) }) =>
      ({ tokens: { [name]: 3 }, reads: [name], ...more }) as never;
    expect(joinAnswers(answers("a"), answers("b"))).toEqual({
      ...{ tokens: { a: 3, b: 3 }, reads: ["a", "b"] },
      risk: {
        ...{ verification: { a: 1, b: 1 }, history: { a: 2, b: 2 } },
        drainers: { status: "b", asked: ["a", "both", "b"], hits: ["a", "b"] },
      },
    });
    expect(joinAnswers(answers("a"), answers("b", {}))).toMatchObject({ risk: risk("a") });
    expect(joinAnswers(answers("a", {}), answers("b"))).toMatchObject({ risk: risk("b") });
    expect(joinAnswers(answers("a", {}), answers("b", {}))).toEqual({ tokens: { a: 3, b: 3 }, reads: ["a", "b"] });
  });
});
