import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import { failureText } from "../../../src/tools/cli/failure-text.ts";
import { runHere } from "./run-here.ts";

const dir = mkdtempSync(join(tmpdir(), "txgloss-request-"));
afterAll(() => rmSync(dir, { recursive: true }));
const alice = `0x${"a1".repeat(20)}`;
const hint = "txgloss preview --help says more.\n";

describe("a request to `txgloss preview` that is wrong", () => {
  it("ends with status 2 and says where to read on", async () => {
    const err = `txgloss: expected a file with the request, or --from and --to; --to none creates a contract\n${hint}`;
    for (const half of [
      ["--from", alice],
      ["--to", alice],
    ])
      expect(await runHere("preview", ...half)).toEqual({ out: "", err, status: 2 });
  });

  it("is the error object of the service for programs, with the same status", async () => {
    const file = join(dir, "request.json");
    writeFileSync(file, JSON.stringify({ from: "me", typed_data: {} }));
    const { out, err, status } = await runHere("preview", file, "--json");
    expect([out, JSON.parse(err).error, status]).toEqual(["", "invalid_preview", 2]);
  });

  it.each(["invalid_preview", "invalid_typed_data", "other_chain"] as const)("is one with the code %s", (code) => {
    const told = failureText(new ServiceError(code, "No."), { json: false, usage: hint.trim() });
    expect(told).toEqual({ text: `txgloss: No.\n${hint}`, status: 2 });
  });
});
