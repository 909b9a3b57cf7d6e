import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EngineError } from "../../../src/engine/engine.ts";
import { CaseFileError } from "../../../src/gather/recordings/case-format.ts";
import { ServiceError } from "../../../src/kernel/error.ts";
import { ConfigError } from "../../../src/serve/settings/config.ts";
import { failureText } from "../../../src/tools/cli/failure-text.ts";
import { UsageError } from "../../../src/tools/terminal/command-table.ts";
import { compileSchema } from "../../support/schema.ts";

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
    expect(told(new ServiceError("transaction_pending"))).toContain("\nTry again in a moment");
  });

  const steps = "Try again, or name endpoints of your own: --rpc URL, or the setting RPC_URLS.";
  it.each<[unknown, string, 1 | 2]>([
    [new ConfigError(["PORT: no"]), "The configuration has 1 problem:\n  PORT: no", 2],
    [new EngineError([]), new EngineError([]).message, 2],
    [Object.assign(new Error("x"), { code: "EACCES", path: "a" }), "a cannot be read or written: no permission", 2],
    [Object.assign(new Error("x"), { code: "ENOENT", path: "/none/a" }), "there is no folder /none", 2],
    [Object.assign(new Error("x"), { code: "ENOENT", path: "/none" }), "there is no /none", 2],
    [
      Object.assign(new Error("x"), { code: "EROFS", path: "a" }),
      "a cannot be written: its file system is read-only",
      2,
    ],
    [Object.assign(new Error("x"), { code: "EPERM", path: "a" }), "a cannot be read or written: no permission", 2],
    [Object.assign(new Error("x"), { code: "ENAMETOOLONG", path: "a" }), "the path is too long", 2],
    [Object.assign(new Error("x"), { code: "ENOTFILE", path: "a" }), "a is no file that can be read again", 2],
    [Object.assign(new Error("x"), { code: "ENOSPC", path: "a" }), "a cannot be written: no space is left", 1],
    [
      Object.assign(new Error("x"), { code: "EDQUOT" }),
      "the output cannot be written: no space is left to this user",
      1,
    ],
    [Object.assign(new Error("x"), { code: "EIO" }), "the output cannot be written: the disk fails", 1],
    [Object.assign(new Error("x"), { code: "EISDIR" }), "the path is a folder, and a file was expected", 2],
    [new ServiceError("upstream_unavailable", "no"), `no\n${steps}`, 1],
    [
      new ServiceError("transaction_not_found", "no"),
      "no\nCheck the hash. A transaction that was sent a moment ago is known in a few seconds.",
      1,
    ],
    [new ServiceError("overloaded", "no"), "no", 1],
  ])("%s is told whole", (error, text, status) => {
    expect(failureText(error, form)).toEqual({ text: `txgloss: ${text}\n`, status });
  });

  it("are about something where it is named, for people too", () => {
    const told = (json: boolean) => failureText(new ServiceError("overloaded", "no"), { ...form, about: "0x12", json });
    expect(told(false)).toEqual({ text: "txgloss: 0x12: no\n", status: 1 });
    expect(told(true)).toEqual({ text: '{"error":"overloaded","message":"0x12: no","retryable":true}\n', status: 1 });
  });

  it("of ours keep their trace for programs", () => {
    const [first = "", second] = failureText(new TypeError("oops"), { ...form, json: true }).text.split("\n");
    expect(JSON.parse(first)).toMatchObject({ error: "internal", retryable: expect.any(Boolean) });
    expect(second).toBe("TypeError: oops");
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
