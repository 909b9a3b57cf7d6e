import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { openThreadedEngine, type ThreadedEngine } from "../../src/engine/engine-thread.ts";
import { openDeadline } from "../../src/kernel/abort.ts";
import { TooLargeNow } from "../../src/kernel/error.ts";
import { serviceLimits } from "../../src/kernel/limits.ts";
import type { CaseFile } from "../../src/model/case-file.ts";
import { alice, bob, caseOf, token, transferLog } from "../support/case-of.ts";

const opened: ThreadedEngine[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

/** An engine whose threads answer each plan with the hashes that they have seen, and never answer the hash `stuck`. */
function open(): ThreadedEngine {
  const path = join(mkdtempSync(join(tmpdir(), "txgloss-turns-")), "entry.mjs");
  writeFileSync(
    path,
    `import { parentPort } from "node:worker_threads";
     const seen = [];
     parentPort.on("message", ({ what, draft, caseFile }) => {
       const hash = (draft ?? caseFile).tx_hash;
       seen.push(what + " " + hash);
       if (hash === "stuck") for (;;);
       const told = { id: "1", explanation: seen, evidence: {}, facts: {} };
       parentPort.postMessage(what === "plan" ? { what: "planned", plan: seen } : { what: "decided", ...told });
     });
     parentPort.postMessage({ what: "ready" });`,
  );
  const unused = () => expect.unreachable("it is large");
  const engine = { decide: unused, planLookups: unused };
  const threaded = openThreadedEngine(
    engine,
    { rulesDir: "", labelsDir: "" },
    { isLarge: () => true, entry: pathToFileURL(path) },
  );
  opened.push(threaded);
  return threaded;
}

/** A draft of this size: 1 is the largest that is decided without a thread. */
function draftOf(name: string, size: number): CaseFile {
  const logs = Array.from({ length: size * serviceLimits.hereLogsMax }, () => transferLog(token, alice, bob, 1n));
  return { ...caseOf({ receipt: { logs } }), tx_hash: name } as unknown as CaseFile;
}

const [large, medium] = [draftOf("x", serviceLimits.mediumSizeMax + 1), draftOf("x", 1)];
const named = (file: CaseFile, name: string) => ({ ...file, tx_hash: name }) as unknown as CaseFile;
const victims = ["ann", "ben", "cid", "dan"];
const plan = (threaded: ThreadedEngine, file: CaseFile, client: string, signal?: AbortSignal) =>
  Promise.resolve(threaded.planLookups(file, 0, signal, { client })).then(
    (seen) => seen as unknown as string[],
    (error: unknown) => error,
  );

describe("a client that asks for many large cases at once", () => {
  it("has one turn like all others, may let two wait, and is refused the rest at once", async () => {
    const threaded = open();
    const attack = Array.from({ length: 24 }, (_, i) => plan(threaded, named(large, `attack ${i}`), "mallory"));
    const others = victims.map((name) => plan(threaded, named(large, name), name));
    const refused = await Promise.all(attack.slice(serviceLimits.largeWaitingPerClient));
    expect(new Set(refused.map((error) => error instanceof TooLargeNow && error.code))).toEqual(
      new Set(["overloaded"]),
    );
    expect(refused.every((error) => (error as TooLargeNow).retryAfterSeconds! >= 1)).toBe(true);
    await Promise.all(others);
    const order = ["plan attack 0", ...victims.map((name) => `plan ${name}`), "plan attack 1"];
    expect(await attack[1]).toEqual(order);
  });

  it("has one of them in work, until it is decided; what was planned goes before what waits", async () => {
    const threaded = open();
    const run = openDeadline(3_600_000);
    const first = named(large, "first");
    await plan(threaded, first, "mallory", run.signal);
    const second = plan(threaded, named(large, "second"), "mallory", openDeadline(3_600_000).signal);
    const other = plan(threaded, named(large, "ann"), "ann");
    const decided = threaded.decide(first, run.signal, { client: "mallory" });
    expect((await decided).explanation).not.toContain("plan second");
    await other;
    run.end();
    expect(await second).toEqual(["plan first", "plan ann", "decide first", "plan second"]);
  });

  it("delays nobody whose case is much smaller, and its thread is ended at the deadline", async () => {
    const threaded = open();
    const attack = ["mallory", "oscar"].map((client) => {
      const run = openDeadline(2_000);
      return plan(threaded, named(large, "stuck"), client, run.signal).finally(() => run.end());
    });
    const before = await Promise.all(victims.map((name) => plan(threaded, named(medium, name), name)));
    expect(before.at(-1)).toEqual(victims.map((name) => `plan ${name}`));
    const ended = await Promise.all(attack);
    expect(ended.map((error) => (error as TooLargeNow).code)).toEqual(["overloaded", "overloaded"]);
    // A new thread has seen nothing yet.
    expect(await plan(threaded, named(large, "ann"), "ann")).toEqual(["plan ann"]);
  });
});

describe("a budget in time", () => {
  it("refuses at once what cannot be done before its deadline, and what is given away sooner", async () => {
    const threaded = open();
    const size = serviceLimits.mediumSizeMax + 1;
    const busy = plan(threaded, named(large, "busy"), "ann");
    expect(() => threaded.admit(size, 1, { client: "ben" })).toThrow(TooLargeNow);
    expect(() => threaded.admit(size, 60_000, { client: "ben", free: true })).not.toThrow();
    const enough = [...Array(1_000).keys()].find((ms) => {
      try {
        threaded.admit(size, ms, { client: "ben" });
        return true;
      } catch {
        return false;
      }
    }) as number;
    expect(() => threaded.admit(size, enough, { client: "ben", free: true })).toThrow(TooLargeNow);
    await busy;
    expect(() => threaded.admit(size, 1, { client: "ben" })).not.toThrow();
    // What was ended at its deadline is not tried again for a while.
    expect(() => threaded.admit(Number.POSITIVE_INFINITY, 60_000, { client: "ben" })).toThrow(TooLargeNow);
  });
});
