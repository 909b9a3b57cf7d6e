import { describe, expect, it } from "vitest";
import { createEngine as openCompiled } from "../../../src/tools/library/decide.ts";
import { createMessageEngine } from "../../../src/tools/library/decide-message.ts";
import { readGivenOptions, readGivenSettings } from "../../../src/tools/library/given-options.ts";
import { ConfigError, caseFromReceipt, createEngine, createExplainer } from "../../../src/tools/library/txgloss.ts";

const rpcUrls = ["http://127.0.0.1:9"];

/** What a call throws that types would refuse. */
function refusal(call: () => unknown): [string, string] {
  try {
    call();
  } catch (error) {
    const { code, message } = error as Error & { code: string };
    return [code, message.split("\n").slice(1).join().trim() || message];
  }
  throw new Error("it was taken");
}

describe("options", () => {
  it("are taken by their names, and none are needed", () => {
    const options = { rules: "a", labels: undefined };
    expect(readGivenOptions(options, ["rules", "labels"])).toEqual(options);
    expect(readGivenOptions<object>(undefined, [])).toEqual({});
    expect(readGivenOptions<object>(null, [])).toEqual({});
  });

  it.each<[unknown, string]>([
    [{ rpcURLs: rpcUrls }, "rpcURLs: is no option; did you mean rpcUrls?"],
    [{ rpcUrls, rule: "a" }, "rule: is no option; did you mean rules?"],
    [{ rpcUrls, LOOKUPS: "off" }, "LOOKUPS: is no option; there are rpcUrls, settings, rules, labels."],
    [{ rpcUrls, settings: "LOOKUPS=off" }, "settings: expected an object."],
    [{ rpcUrls, settings: { LOOKUP: "off" } }, "LOOKUP: is no setting; did you mean LOOKUPS?"],
    [{ rpcUrls, settings: { NOTHING_LIKE_IT: "off" } }, "NOTHING_LIKE_IT: is no setting."],
    [{ rpcUrls, settings: { RPC_URLS: "http://a" } }, "RPC_URLS: give the endpoints as the option rpcUrls."],
    [{ rpcUrls, settings: { RULES_DIR: "a" } }, "RULES_DIR: give the folders as the option rules."],
    [{ rpcUrls, settings: { LABELS_DIR: "a" } }, "LABELS_DIR: give the folders as the option labels."],
    ["http://a", "options: expected an object."],
    [rpcUrls, "options: expected an object."],
    [undefined, "rpcUrls: expected a list of one URL or more."],
    [null, "rpcUrls: expected a list of one URL or more."],
  ])("of an explainer: %j is refused", (given, problem) => {
    expect(refusal(() => createExplainer(given as never))).toEqual(["invalid_settings", problem]);
  });

  it("of an engine are folders alone", () => {
    expect(refusal(() => createEngine({ rule: "a" } as never))).toEqual([
      "invalid_settings",
      "rule: is no option; did you mean rules?",
    ]);
    expect(refusal(() => createEngine("rules" as never))).toEqual(["invalid_settings", "options: expected an object."]);
  });

  it("of a call are its signal alone", async () => {
    const explainer = createExplainer({ rpcUrls, settings: { LOOKUPS: "off" } });
    const hash = `0x${"1".repeat(64)}`;
    const problem = new ConfigError(["signl: is no option; did you mean signal?"]);
    await expect(explainer.explain(hash, { signl: 5 } as never)).rejects.toEqual(problem);
    explainer.close();
    const ended = { signal: AbortSignal.abort() };
    await expect(explainer.explain(hash, ended)).rejects.toMatchObject({ code: "upstream_unavailable" });
  });

  it("lists every name that is wrong", () => {
    const given = { DEADLINES: "1", RPC_URLS: 5, PORT: 80, WEB: "off" };
    expect(refusal(() => readGivenSettings(given))[1]).toBe("DEADLINES: is no setting; did you mean DEADLINE_MS?");
    const { DEADLINES: _, ...known } = given;
    expect(refusal(() => readGivenSettings(known))[1]).toBe(
      "RPC_URLS: give the endpoints as the option rpcUrls.,  PORT: expected a text.",
    );
  });
});

describe("calls without what they need", () => {
  it.each<[string, () => unknown, string]>([
    ["caseFromReceipt", () => caseFromReceipt(undefined as never), "invalid_transaction"],
    ["caseFromReceipt of null", () => caseFromReceipt(null as never), "invalid_transaction"],
    ["the engine of compiled rules", () => openCompiled(undefined as never), "compiled_for_other_version"],
    ["the engine of no rules", () => openCompiled({} as never), "compiled_for_other_version"],
    ["the engine for messages", () => createMessageEngine(undefined as never), "compiled_for_other_version"],
  ])("%s: an error with a code", (_name, call, code) => {
    expect(refusal(call)[0]).toBe(code);
  });

  it("are refused by an engine too", () => {
    const engine = createEngine();
    for (const [ask, code] of [
      [engine.decide, "invalid_case"],
      [engine.planLookups, "invalid_case"],
      [engine.decideMessage, "invalid_typed_data"],
      [engine.planMessage, "invalid_typed_data"],
    ] as const)
      for (const nothing of [undefined, null]) expect(refusal(() => ask(nothing as never))[0]).toBe(code);
  });
});
