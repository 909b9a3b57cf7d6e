import { expect, it } from "vitest";
import { formatReport } from "../../../src/tools/erc7730/report.ts";

it("what was left out is told by reason, the most frequent first, then by name", () => {
  const left = (file: string, place: string, reason: string) => ({ file, place, reason });
  const findings = [
    left("b.json", "/x", "late"),
    left("a.json", "", "early"),
    left("a.json", "/y", "often"),
    left("c.json", "/z", "often"),
  ];
  expect(formatReport(findings, { files: 1, rules: 2 })).toBe(`2 rules in 1 file; 4 parts left out
2 x often
    a.json: /y
    c.json: /z
1 x early
    a.json
1 x late
    b.json: /x
`);
  expect(formatReport([], { files: 0, rules: 1 })).toBe("1 rule in 0 files; 0 parts left out\n");
});
