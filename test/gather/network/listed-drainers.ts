import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openDrainerLists } from "../../../src/gather/network/drainers/drainer-lists.ts";
import type { Address } from "../../../src/kernel/address.ts";
import { someone } from "../../engine/assess/scene.ts";
import { type FactAnswer, startFactServer } from "../../support/fact-server.ts";

export const entries = Array.from({ length: 10 }, (_, i) => someone(`drainer ${i}`));
export const drainer = entries[0] as Address;
export const hour = 3_600_000;

export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "txgloss-lists-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A list on a server with entity tags, and a service that reads it. */
export async function build(options: { dir?: string | null; at?: string[]; timeoutMs?: number } = {}) {
  const held = { body: JSON.stringify(entries), etag: '"1"', changed: "", status: 200, notModified: 0 };
  const server = await startFactServer((url, request): FactAnswer | undefined => {
    if (url.pathname !== "/list.json") return undefined;
    if (held.status !== 200) return { status: held.status, body: held.body };
    if (request.headers["if-none-match"] === held.etag) {
      held.notModified++;
      return { status: 304, body: "" };
    }
    return { body: held.body, headers: { etag: held.etag, "last-modified": held.changed } };
  });
  const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time };
  const dir = options.dir === undefined ? tempDir() : options.dir;
  const start = () => {
    const at = options.at ?? [`${server.url}/list.json?key=secret`];
    const lists = openDrainerLists(at, { dir, refreshMs: 6 * hour, timeoutMs: options.timeoutMs ?? 2_000, clock });
    onTestFinished(() => lists.close());
    const look = (addresses: Address[] = [drainer, someone("alice")], ms = 1_000) =>
      lists.look(addresses, { signal: AbortSignal.timeout(ms), time: () => "then" });
    return { ...lists, look };
  };
  return { held, server, clock, dir, start };
}
