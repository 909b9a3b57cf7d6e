import { describe, expect, it } from "vitest";
import { decide } from "../../src/engine/spine.ts";
import type { CaseFile } from "../../src/model/case-file.ts";
import { buildCase } from "../../src/tools/lint/examples/given.ts";
import { cases, diverted, named, namesOf, world } from "./diverted-cases.ts";

const summaryOf = (file: CaseFile) => decide(file, world.ruleset, world.labels).explanation;

describe("somebody else who gets what the sender's act brings", () => {
  it.each(["with", "without"] as const)("is told %s the ether inside of calls", (ether) => {
    const see = (file: CaseFile): CaseFile =>
      ether === "with" ? file : { ...file, trace: { source: "none", reason: "left out" } };
    const silent = cases.flatMap(({ rule, protocol, given, places }) => {
      const own = summaryOf(see(buildCase(given, namesOf(protocol))));
      const told = summaryOf(see(buildCase(diverted(given, places), namesOf(protocol))));
      const isSame =
        told.action_type === own.action_type && !told.summary.includes("an amount that could not be traced");
      return isSame && !told.summary.includes(named) ? [{ rule, summary: told.summary }] : [];
    });
    expect(cases.length).toBeGreaterThan(100);
    expect(silent).toEqual([]);
  });
});
