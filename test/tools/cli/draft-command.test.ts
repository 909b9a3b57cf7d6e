import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import { draftRuleFile, toldSteps } from "../../../src/tools/cli/new-rule.ts";
import { shownPath } from "../../../src/tools/lint/sources.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";

/** The surroundings of a draft: the folder of rules, the sources that are asked and what they know, and the questions to them. */
const fake = vi.hoisted(() => ({
  rules: "",
  asked: [] as unknown[],
  unnamed: [] as string[],
  publishers: [] as string[],
  made: {} as object,
  gather: async (): Promise<unknown> => ({}),
}));
vi.mock("../../../src/tools/lint/sources.ts", async (original) => ({
  ...(await original<object>()),
  defaultPaths: () => [join(fake.rules, "labels"), fake.rules],
  findSources: () => ({ rules: [{ file: `${fake.rules}/dex/taken.yaml` }] }),
}));
vi.mock("../../../src/tools/lint/scaffold/scaffold.ts", () => ({
  openSurvey: () => ({ loaded: { ruleset: { actions: new Map([["swap", {}]]) } } }),
  listUnnamed: () => fake.unnamed,
  scaffold: (order: object, { findings }: { findings: object }) => {
    fake.asked.push(["scaffold", order, findings]);
    return fake.made;
  },
}));
vi.mock("../../../src/tools/cli/contract-source.ts", () => ({
  publishersOf: () => fake.publishers,
  findPublished: async (addresses: string[], _config: object, waitMs: number) => {
    fake.asked.push(["published", addresses, waitMs]);
    return "published";
  },
}));
vi.mock("../../../src/tools/cli/explainer.ts", async (original) => ({
  ...(await original<object>()),
  withExplainer(config: { deadlineMs: number; rpcTimeoutMs: number; rpcUrls: string[] }, use: (of: object) => unknown) {
    fake.asked.push(["gather", config.deadlineMs, config.rpcTimeoutMs, config.rpcUrls.join()]);
    return use({ gather: () => fake.gather() });
  },
}));

const hash = hashOf(1);
const draft = { text: "a # draft: b\n", action: "swap", anchor: "call pay at entry" };
let home: string;
let recordings: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "txgloss-draft-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  recordings = join(home, "recordings");
  for (const folder of ["rules/dex", "rules/social", "recordings"]) mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, "rules/actions.yaml"), "");
  const gather = async () => caseFileOf(hash);
  Object.assign(fake, { rules: join(home, "rules"), asked: [], unnamed: [], publishers: [], made: draft, gather });
});

/** Drafts a file for the transaction. `told`: what is printed meanwhile. */
async function run(...more: string[]) {
  const told: string[] = [];
  const args = ["shop", "--tx", hash, "--recordings", recordings, ...more];
  return { ...(await draftRuleFile(args, (line) => told.push(line))), told };
}

const record = () => writeFileSync(join(recordings, `${hash}.json`), JSON.stringify(caseFileOf(hash)));
const steps = (folder: string, recorded: string[] = []) =>
  toldSteps(join(home, "rules", folder, "shop.yaml"), { ...draft, protocol: "shop", recorded });
const file = (folder: string) => readFileSync(join(home, "rules", folder, "shop.yaml"), "utf8");

describe("a draft of a recorded transaction", () => {
  beforeEach(record);

  it("lies in the folder of its action, or in the one that is wanted", async () => {
    expect(await run()).toEqual({ status: 0, out: steps("dex"), err: "", told: [] });
    expect(file("dex")).toBe(draft.text);
    expect(await run("--family", "social")).toMatchObject({ status: 0, out: steps("social") });
    expect(file("social")).toBe(draft.text);
  });

  it("is made of the case, of what is known and of what others publish", async () => {
    const abi = join(home, "shop.abi");
    writeFileSync(abi, "function pay(address to)");
    fake.unnamed = ["0x12"];
    await run("--abi", abi, "--role", "till", "--action", "swap", "--family", "social");
    const order = { protocol: "shop", caseFile: caseFileOf(hash), recordingsDir: recordings };
    expect(fake.asked).toEqual([
      ["published", ["0x12"], 3_000],
      [
        "scaffold",
        { ...order, file: shownPath(join(home, "rules/social/shop.yaml")) },
        {
          ...{ items: [expect.objectContaining({ origin: abi })], published: "published" },
          ...{ role: "till", action: "swap" },
        },
      ],
    ]);
    await run();
    expect(fake.asked.at(-1)).toEqual([
      ...["scaffold", { ...order, file: shownPath(join(home, "rules/new/shop.yaml")) }],
      { items: [], published: "published", role: null, action: null },
    ]);
  });

  it.each<[string[], string[], string[]]>([
    [[], [], []],
    [["0x12"], [], []],
    [[], ["a"], []],
    [["0x12"], ["a"], ["asking a for names and ABIs, 3 s at most"]],
    [["0x12"], ["a", "b"], ["asking a and b for names and ABIs, 3 s at most"]],
  ])("with the unnamed contracts %j and the publishers %j says %j", async (unnamed, publishers, told) => {
    Object.assign(fake, { unnamed, publishers });
    expect((await run()).told).toEqual(told);
  });

  it("says why there is none", async () => {
    fake.made = { problem: "the transaction reverted" };
    expect(await run()).toEqual({ status: 1, out: "", err: "rule-lint: the transaction reverted\n", told: [] });
  });

  it.each([
    ["swpa", '"swpa"; did you mean swap?'],
    ["payment", '"payment"'],
  ])("is not made for an action that there is not: %s", async (action, said) => {
    const err = `rule-lint: rules/actions.yaml has no action ${said}\nrule-lint new --help says more.\n`;
    expect(await run("--action", action)).toEqual({ status: 2, out: "", err, told: [] });
  });
});

describe("a draft of a transaction that is not recorded", () => {
  const asking = "asking a, b:81 for the transaction, 3 s at most";
  const rpc = ["--rpc", "http://a/key", "--rpc", "http://b:81"];

  it("records it first", async () => {
    const path = join(recordings, `${hash}.json`);
    expect(await run(...rpc)).toEqual({ status: 0, out: steps("dex", [path]), err: "", told: [asking] });
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(caseFileOf(hash));
    expect(fake.asked[0]).toEqual(["gather", 3_000, 3_000, "http://a/key,http://b:81"]);
  });

  it("is not made where nobody answers, or nobody knows it", async () => {
    fake.gather = () => Promise.reject(new ServiceError("upstream_unavailable"));
    const message = `no endpoint told the transaction within 3 s (asked: a, b:81); name another one by --rpc, or put a recording into ${shownPath(recordings)}`;
    const err = `rule-lint: ${message}\nrule-lint new --help says more.\n`;
    expect(await run(...rpc)).toEqual({ status: 2, out: "", err, told: [asking] });
    fake.gather = () => Promise.reject(new ServiceError("transaction_not_found", "not there"));
    expect(await run(...rpc)).toMatchObject({ status: 2, err: "rule-lint: not there\n" });
  });
});
