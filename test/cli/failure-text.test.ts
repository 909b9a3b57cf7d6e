import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { failureText } from "../../src/cli/failure-text.ts";
import { ServiceError } from "../../src/kernel/error.ts";
import { CaseFileError } from "../../src/recordings/case-format.ts";
import { UsageError } from "../../src/terminal/command-table.ts";
import { compileSchema } from "../support/schema.ts";

const form = { json: false, usage: "txgloss replay --help says more." };

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

describe("failures of the command line", () => {
  const folder = mkdtempSync(join(tmpdir(), "txgloss-failure-"));

  it.each([
    ["a file that is not there", join(folder, "none.json"), /^txgloss: there is no \S+none\.json\n$/],
    ["a folder", folder, /^txgloss: (\S+|the path) is a folder, and a file was expected\n$/],
    ["a file as a folder", `${process.execPath}/case.json`, /^txgloss: \S+ is a file, and a folder was expected\n$/],
  ])("are sentences about %s", (_what, path, text) => {
    const { text: told, status } = failureText(
      thrownBy(() => readFileSync(path)),
      form,
    );
    expect(told).toMatch(text);
    expect(status).toBe(2);
  });

  it("name the next step", () => {
    const told = (error: unknown) => failureText(error, form).text;
    expect(told(new UsageError("expected a hash"))).toBe(
      "txgloss: expected a hash\ntxgloss replay --help says more.\n",
    );
    expect(told(new CaseFileError("invalid", "x.json", "it is empty"))).toContain(
      "\n`txgloss record HASH` writes a case file.\n",
    );
    expect(told(new ServiceError("transaction_pending"))).toContain("\nTry again in a few seconds");
  });

  it("are the error object of the service for programs, with what they are about", () => {
    const { text, status } = failureText(new ServiceError("transaction_not_found"), {
      ...form,
      about: "0x12",
      json: true,
    });
    const validate = compileSchema("error");
    expect(validate(JSON.parse(text)), JSON.stringify(validate.errors)).toBe(true);
    expect([JSON.parse(text).message.startsWith("0x12: "), status]).toEqual([true, 1]);
  });

  it("show the trace of what is our mistake, whatever was thrown", () => {
    expect(failureText(new TypeError("oops"), form).text).toMatch(
      /^txgloss: Our mistake[^\n]*\n[^\n]+\nTypeError: oops\n\s+at /,
    );
    expect(failureText("oops", form).text).toMatch(/\noops\n$/);
  });
});
