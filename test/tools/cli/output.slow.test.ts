import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { offline } from "../../support/main-process.ts";
import { root } from "../../support/shared.ts";

/** Runs the command with its stdout on a device that is always full. */
async function runOnFullDisk(program: string, args: readonly string[]): Promise<{ code: unknown; stderr: string }> {
  const child = spawn(process.execPath, [join(root, "src/tools/cli", program), ...args], {
    env: { ...process.env, ...offline },
    stdio: ["ignore", openSync("/dev/full", "w"), "pipe"],
  });
  if (child.stderr === null) throw new Error("stderr is no pipe");
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  return { code, stderr };
}

describe.runIf(process.platform === "linux")("an output that cannot be written", () => {
  it.each(["txgloss", "rule-lint"])("is told by %s in a sentence, with status 1", async (program) => {
    expect(await runOnFullDisk(`${program}.ts`, ["--version"])).toEqual({
      code: 1,
      stderr: `${program}: the output cannot be written: ENOSPC: no space left on device, write\n`,
    });
  });
});
