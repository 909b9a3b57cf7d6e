import { describe, expect, it } from "vitest";
import { usdc } from "../../support/case-of.ts";
import { first, write } from "./written-rules.ts";

describe("a rule about a message", () => {
  it("tells messages that are signed", () => {
    const key = "Act(address to,uint256 n,Part[] parts)Part(bool a)";
    const fields = [
      { path: "n", label: "Num", format: "amount" },
      { path: "parts.[].a", label: "Parts" },
    ];
    const format = { intent: "Act", interpolatedIntent: "Act for {n}", fields };
    const { lines, written } = write({ [key]: format }, { more: { context: { eip712: {} } }, places: [[first, usdc]] });
    const parts = '{"label":"parts","each":"args.parts","enum":"item.a","values":{"true":"true","false":"false"}}';
    const sign = (id: string) => [
      ...[
        `  - id: ${id}`,
        "    action: contract_interaction",
        "    message: Act",
        "    at: contract",
        "    after: everything",
      ],
    ];
    const example = (id: string, message: object) => [
      ...[`  - name: ${id}`, "    given:", "      from: alice", `      message: ${JSON.stringify(message)}`],
      ...[`    rule: ${id}`, "    action: contract_interaction"],
    ];
    const to = `0x${"10".repeat(19)}01`;
    expect(lines.slice(lines.indexOf("messages:"))).toEqual([
      "messages:",
      ...sign("act-detailed"),
      ...["    when:", '      - {">":[{"var":"args.n"},"0"]}', "    values:"],
      ...['      field_1: {"amount":"args.n","of":"native"}', `      fields: ${parts}`],
      '    say: "sign for {contract} to act for {field_1}[, with {fields}]"',
      ...sign("act"),
      ...[
        "    values:",
        "      fields:",
        '        - {"label":"num","amount":"args.n","of":"native"}',
        `        - ${parts}`,
      ],
      '    say: "sign for {contract} to act[, with {fields}]"',
      "examples:",
      ...example("act-detailed", { to, n: "1", parts: [{ a: true }] }),
      ...example("act", { to: `0x${"0".repeat(40)}`, n: "0", parts: [] }),
      "",
    ]);
    expect(written?.rules).toBe(2);
    const elsewhere = write({ [key]: format }, { more: { context: { eip712: {} } } });
    expect(elsewhere.lines).toContain("    at: contract");
  });
});
