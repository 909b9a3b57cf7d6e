import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import {
  ConfigError,
  createEngine,
  createExplainer,
  EngineError,
  type ExplainerOptions,
  ServiceError,
} from "../../../src/tools/library/txgloss.ts";
import { startRpcServer } from "../../support/rpc-server.ts";
import { chainFixture, chainMethods } from "../../support/rpc-server-chain.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";
import { root } from "../../support/shared.ts";

const home = mkdtempSync(join(tmpdir(), "txgloss-library-"));
afterAll(() => rmSync(home, { recursive: true }));
/** The action types and no rule: read in no time. */
const rules = join(home, "rules");
mkdirSync(rules);
for (const name of ["actions.yaml", "verbs.yaml"]) cpSync(join(root, "rules", name), join(rules, name));
const offline = { LOOKUPS: "off", BLOCKSCOUT_URL: "", PRICES_URL: "", DEADLINE_MS: "2000" } as const;

function open(more: Partial<ExplainerOptions> = {}) {
  const explainer = createExplainer({ rpcUrls: ["http://127.0.0.1:9"], rules, settings: offline, ...more });
  onTestFinished(() => explainer.close());
  return explainer;
}

describe("an explainer of the package", () => {
  it("explains and gathers over the endpoints that it was given, as its rules decide", async () => {
    const { url } = await startRpcServer({ methods: chainMethods(chainFixture()) });
    const explainer = open({ rpcUrls: ["http://127.0.0.1:9", url] });
    const answer = await explainer.explain(hashOf(1).toUpperCase().replace("0X", "0x"));
    expect(Object.keys(answer)).toEqual(["explanation", "evidence"]);
    const caseFile = await explainer.gather(hashOf(1));
    const { explanation, evidence } = createEngine({ rules }).decide(caseFile);
    expect(answer).toEqual({ explanation, evidence: evidence() });
    expect([caseFile.tx_hash, explanation.tx_hash]).toEqual([hashOf(1), hashOf(1)]);
  });

  it("takes no recording for an answer", async () => {
    const dir = join(home, "recorded");
    mkdirSync(dir);
    writeFileSync(join(dir, `${hashOf(1)}.json`), JSON.stringify(caseFileOf(hashOf(1))));
    expect(() => open({ settings: { ...offline, RECORDINGS_DIR: dir } })).toThrow(
      new ConfigError(["RECORDINGS_DIR: recordings are no source here; createEngine explains a case file."]),
    );
    const explainer = open({ settings: { ...offline, RECORDINGS_DIR: "" } });
    await expect(explainer.explain(hashOf(1))).rejects.toMatchObject({ code: "upstream_unavailable" });
  });

  it.each(["", "0x12", `${hashOf(1)}0`])("refuses %j, which is no hash", async (text) => {
    const explainer = open();
    await expect(explainer.explain(text)).rejects.toEqual(new ServiceError("invalid_tx_hash"));
    await expect(explainer.gather(text)).rejects.toEqual(new ServiceError("invalid_tx_hash"));
  });

  it("is waited for no longer than its caller wants", async () => {
    const left = open().explain(hashOf(1), { signal: AbortSignal.abort() });
    await expect(left).rejects.toMatchObject({ name: "ServiceError", code: "upstream_unavailable" });
  });

  it("says what is wrong with settings and folders", () => {
    expect(() => open({ settings: { ...offline, PORT: "x" } })).toThrow(ConfigError);
    expect(() => open({ rpcUrls: ["ftp://a"] })).toThrow(ConfigError);
    const broken = join(home, "broken");
    cpSync(rules, broken, { recursive: true });
    writeFileSync(join(broken, "broken.yaml"), "protocol: [\n");
    expect(() => open({ rules: broken })).toThrow(EngineError);
    expect(() => createEngine({ rules: broken })).toThrow(EngineError);
    expect(() => createEngine({ rules, labels: join(home, "none") })).toThrow(EngineError);
  });

  it("opens with no folder of rules that nobody can have meant", () => {
    const [none, empty, bare] = [join(home, "none"), join(home, "empty"), join(home, "bare")];
    mkdirSync(empty);
    mkdirSync(bare);
    writeFileSync(join(bare, "verbs.yaml"), "past: {}\n");
    const refused = (folders: string | string[]) => {
      try {
        createEngine({ rules: folders });
      } catch (error) {
        return error instanceof EngineError ? [error.code, error.message.split("\n").slice(1).join()] : error;
      }
      return "opened";
    };
    const missing = `ENOENT: no such file or directory, scandir '${none}'`;
    expect(refused(none)).toEqual(["invalid_rules", `  ${none}:1:1 RL207 this folder cannot be read: ${missing}`]);
    expect(refused([rules, none])).toEqual(refused(none));
    expect(refused(empty)).toEqual(["invalid_rules", `  ${empty}:1:1 RL207 there is no YAML file in this folder`]);
    const untyped = "there is no action type: `actions.yaml` is missing, or empty";
    expect(refused(bare)).toEqual(["invalid_rules", `  ${bare}:1:1 RL207 ${untyped}`]);
    expect(refused([])).toEqual(["invalid_rules", `  rules:1:1 RL207 ${untyped}`]);
    expect(refused([rules, bare])).toBe("opened");
  });

  it("asks no endpoints but those that it was given, so it needs one", () => {
    for (const rpcUrls of [[], undefined, "http://127.0.0.1:9"])
      expect(() => createExplainer({ rpcUrls, rules } as ExplainerOptions)).toThrow(
        new ConfigError(["rpcUrls: expected a list of one URL or more."]),
      );
  });

  it("takes settings as texts, and says which are none", () => {
    const settings = { DEADLINE_MS: 2000, LOOKUPS: false, PORT: undefined, WEB: "off" };
    expect(() => open({ settings } as unknown as Partial<ExplainerOptions>)).toThrow(
      new ConfigError(["DEADLINE_MS: expected a text.", "LOOKUPS: expected a text."]),
    );
  });
});

describe("an engine of the package", () => {
  it("has what others may rely on", () => {
    const engine = createEngine({ rules });
    const names = ["actionTypes", "decide", "decideMessage", "planLookups", "planMessage", "ruleset"];
    expect(Object.keys(engine).sort()).toEqual(names);
    expect(createEngine({ rules }).ruleset).toBe(engine.ruleset);
    expect(engine.decide(caseFileOf(hashOf(1))).explanation.tx_hash).toBe(hashOf(1));
  });
});
