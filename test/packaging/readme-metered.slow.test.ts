import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { offline } from "../support/main-process.ts";
import { root } from "../support/shared.ts";

/** The three lines of README.md that try an instance that charges. */
function linesOfReadme(): string[] {
  const page = readFileSync(join(root, "README.md"), "utf8");
  const [, block = ""] = /An instance that \*\*charges\*\*[\s\S]+?\n\n((?: {4}.+\n)+)/.exec(page) ?? [];
  return block.trimEnd().split("\n");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it("README.md: three lines try an instance that charges, up to the first 402, without a network", async () => {
  const lines = linesOfReadme();
  expect(lines).toHaveLength(3);
  // Another port, because others may use this one, and an endpoint that nobody serves in place of those of the network.
  const port = String(await freePort());
  const script = lines.join("\n").replaceAll(":8080", `:${port}`);
  const { RPC_URLS, BLOCKSCOUT_URL, LOOKUPS } = offline;
  const env = { ...process.env, RPC_URLS, BLOCKSCOUT_URL, LOOKUPS, PORT: port, PRICES_URL: "" };
  const shell = spawn("sh", ["-c", script], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const [said, wrong] = [shell.stdout, shell.stderr].map(text) as [Promise<string>, Promise<string>];
  // The service outlives the shell, and holds its output open until it ends.
  await new Promise((resolve) => shell.once("exit", resolve));
  process.kill(-(shell.pid as number), "SIGTERM");
  const [output, errors] = await Promise.all([said, wrong]);
  const statuses = [...output.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  expect(statuses, errors).toEqual(["200", "402"]);
  expect(output).toContain('"summary":"0xBD1e…ff85 repaid 100.001 USDC to Compound III."');
  expect(output).toMatch(/x-txgloss-source: recording/i);
  expect(output).toContain('"error":"free_allowance_used"');
}, 180_000);
