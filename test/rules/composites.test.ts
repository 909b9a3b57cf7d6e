import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { decide } from "../../src/engine/spine.ts";
import { type Envelope, putInto } from "./envelopes.ts";
import { type GivenActs, readActs, shippedWorld } from "./world.ts";

/** A case from a file in composites/: the acts of `alice`, and the summary that every envelope must give. */
interface Composite {
  name: string;
  acts: GivenActs;
  action: string;
  /** The whole summary, or at least how it begins. */
  summary?: string;
  headline?: string;
  /** The envelopes to try. Several calls need an envelope that can carry more than one. */
  envelopes?: Envelope[];
}

const world = shippedWorld();
const folder = fileURLToPath(new URL("composites", import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));

describe.each(files.map((name) => basename(name, ".yaml")))("%s", (file) => {
  const cases = parse(readFileSync(join(folder, `${file}.yaml`), "utf8")) as Composite[];
  const runs = cases.flatMap((one) => envelopesOf(one).map((envelope) => ({ ...one, envelope })));

  it.each(runs)("$name ($envelope)", ({ acts, action, summary, headline, envelope }) => {
    const { plain, calls } = readActs(acts, world);
    const { explanation, evidence } = decide(putInto(envelope, plain, calls), world.ruleset, world.labels);
    expect(`${explanation.action_type}: ${explanation.summary}`).toMatch(new RegExp(`^${action}: `));
    expect(evidence().subject).toBe(plain.transaction.from);
    if (envelope.startsWith("untraced")) return;
    if (summary === undefined) expect(explanation.summary.startsWith(headline ?? ""), explanation.summary).toBe(true);
    else
      expect({ summary: explanation.summary, unexplained: evidence().unexplained }).toEqual({
        summary,
        unexplained: [],
      });
  });
});

function envelopesOf({ acts, envelopes }: Composite): Envelope[] {
  if (envelopes !== undefined) return envelopes;
  if (acts.status === "reverted") return ["own"];
  return acts.calls.length > 1
    ? ["operation", "untraced operation", "safe", "delegated"]
    : ["own", "untraced", "operation", "untraced operation", "safe", "delegated"];
}
