import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../support/shared.ts";

function run(what: string) {
  const path = join(root, "test/support/uncaught-process.ts");
  const { status, stdout } = spawnSync(process.execPath, [path, what], { encoding: "utf8" });
  return {
    status,
    stdout,
    lines: stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object),
  };
}

it("a promise that nobody caught is logged, without the path of a URL, and the service goes on", () => {
  const { status, stdout, lines } = run("rejection");
  expect(status).toBe(0);
  expect(lines).toMatchObject([
    { level: "error", event: "unhandled_rejection", cause: expect.stringContaining("lost at https://rpc.example") },
    { event: "alive", rejections: 1, exceptions: 0 },
  ]);
  expect(stdout).not.toContain("key-1234");
});

it("a broken connection that nobody listens to is logged, and the service goes on", () => {
  const { status, lines } = run("connection");
  expect(status).toBe(0);
  expect(lines).toMatchObject([
    { event: "uncaught_exception", goes_on: true, cause: expect.stringContaining("reset") },
    { event: "alive", exceptions: 1 },
  ]);
});

it.each(["exception", "nothing"])("any other exception (%s) is logged and stops the service with 1", (what) => {
  const { status, lines } = run(what);
  expect(status).toBe(1);
  expect(lines).toMatchObject([{ level: "error", event: "uncaught_exception", goes_on: false }]);
});
