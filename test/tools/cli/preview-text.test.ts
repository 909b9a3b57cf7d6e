import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  formatMessageAnswer,
  formatPreviewAnswer,
  readRequestFile,
} from "../../../src/tools/cli/preview/preview-text.ts";
import { UsageError } from "../../../src/tools/terminal/command-table.ts";

const one = `0x${"11".repeat(20)}`;
const checks = { contract_verification: "passed", unchecked_addresses: [], note: null };
const provenance = { untrusted_fields: [] };
const told = {
  ...{ risk_flags: [{ flag: "a", detail: "b" }], checks, provenance, summary: "It would pay." },
  counterparties: [
    { address: one, label: "One" },
    { address: one, label: null },
  ],
};
const preview = {
  ...told,
  ...{ action_type: "payment", outcome: "success", partial: false, fee_estimate_usd: 0.0123456789, asks: ["x", "y"] },
  ...{ assets_moved: [], notes: [{ code: "n", detail: "m" }] },
  simulation: { method: "eth_simulateV1", block_number: 5, differs: false, gas_used: 21000 },
};
const both = `with       ${one}  One\n           ${one}\n`;

const text = (more: object = {}, form = {}) =>
  formatPreviewAnswer({ preview: { ...preview, ...more }, evidence: { x: 1 }, body: "{}" } as never, {
    ...{ json: false, why: false },
    ...form,
  });

describe("a preview in a terminal", () => {
  it("is told field by field", () => {
    expect(text()).toBe(`It would pay.

type       payment
outcome    success
simulated  eth_simulateV1 on block 5
gas        21000
fee        0.012346 USD
asks       x
           y
${both}flags      a: b
checks     contract verification: passed
notes      n: m
`);
  });

  it("says what is not known", () => {
    const field = (more: object, name: string) =>
      text(more)
        .split("\n")
        .find((line) => line.startsWith(name))
        ?.slice(11);
    const { simulation } = preview;
    expect(field({ partial: true }, "outcome")).toBe("success, incomplete");
    expect(field({ simulation: { ...simulation, differs: true } }, "simulated")).toBe(
      "eth_simulateV1 on block 5, runs differ",
    );
    expect(field({ simulation: { ...simulation, differs: null } }, "simulated")).toBe("eth_simulateV1 on block 5");
    expect(field({ simulation: { ...simulation, gas_used: null } }, "gas")).toBe("unknown");
    expect(field({ fee_estimate_usd: null }, "fee")).toBe("unknown in USD");
  });

  it("is the bytes of the answer for programs, with the evidence on a line of its own", () => {
    expect([text({}, { json: true }), text({}, { json: true, why: true })]).toEqual(["{}\n", '{}\n{"x":1}\n']);
  });
});

describe("a message in a terminal", () => {
  const answer = (type: string | null) => {
    const message = {
      fields: [
        { path: "a.b", value: "1" },
        { path: "c", value: "2" },
      ],
      primary_type: type,
    };
    return { message: { ...told, action_type: "payment", message }, body: "{}" } as never;
  };

  it("is told field by field, or as the bytes of the answer", () => {
    expect(formatMessageAnswer(answer("Permit"), { json: false })).toBe(`It would pay.

type     payment
message  Permit
fields   a.b: 1
         c: 2
with     ${one}  One
         ${one}
flags    a: b
checks   contract verification: passed
`);
    expect(formatMessageAnswer(answer(null), { json: false })).toContain("\nmessage  none\n");
    expect(formatMessageAnswer(answer(null), { json: true })).toBe("{}\n");
  });
});

describe("the file of a request", () => {
  const path = join(mkdtempSync(join(tmpdir(), "txgloss-request-")), "request.json");
  const reading = (content: string) => {
    writeFileSync(path, content);
    return readRequestFile(path);
  };

  it("is a JSON object", async () => {
    expect(await reading('{"from":"x"}')).toEqual({ from: "x" });
    await expect(reading("{")).rejects.toEqual(new UsageError(`${path} is not JSON`));
    for (const content of ["null", "[]", '"x"', "5"])
      await expect(reading(content)).rejects.toEqual(new UsageError(`${path} is not a JSON object`));
  });
});
