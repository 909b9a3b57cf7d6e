import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Config } from "../../../src/serve/settings/config.ts";
import { createExplainer } from "../../../src/tools/library/txgloss.ts";
import { hashOf } from "../../support/sample.ts";

/** The options and the questions that the package's explainer gets. */
const fake = vi.hoisted(() => ({ configs: [] as Config[], folders: [] as unknown[], asked: [] as unknown[] }));
vi.mock("../../../src/engine/engine.ts", async (original) => ({
  ...(await original<object>()),
  openEngine: (folders: object) => void fake.folders.push(folders),
}));
vi.mock("../../../src/serve/start/open-explainer.ts", () => ({
  openExplainer: (config: Config) => {
    fake.configs.push(config);
    return {
      start: () => void fake.asked.push("start"),
      close: () => void fake.asked.push("close"),
      gather: async (hash: string) => `case of ${hash}`,
      async explain(hash: string, signal?: AbortSignal) {
        fake.asked.push(["explain", hash, signal]);
        return { explanation: "told", evidence: "why", body: "bytes" };
      },
    };
  },
}));
beforeEach(() => {
  Object.assign(fake, { configs: [], folders: [], asked: [] });
});

const hash = hashOf(1);

describe("the explainer behind the package", () => {
  it("is started at once, is asked with the signal of the caller, and is closed", async () => {
    const explainer = createExplainer({ rpcUrls: ["http://a"] });
    expect(fake.asked).toEqual(["start"]);
    const { signal } = new AbortController();
    expect(await explainer.explain(hash.toUpperCase().replace("0X", "0x"), { signal })).toEqual({
      ...{ explanation: "told", evidence: "why" },
    });
    expect(await explainer.explain(hash)).toEqual({ explanation: "told", evidence: "why" });
    expect(await explainer.gather(hash)).toBe(`case of ${hash}`);
    explainer.close();
    const asked = ["start", ["explain", hash, signal], ["explain", hash, undefined], "close"];
    expect(fake.asked).toEqual(asked);
  });

  it("has the endpoints and the settings that were given, and no recordings", () => {
    const settings = { DEADLINE_MS: "5000", RECORDINGS_DIR: "" };
    createExplainer({ rpcUrls: ["http://a", "http://b"], settings });
    expect(fake.configs).toMatchObject([{ rpcUrls: ["http://a", "http://b"], deadlineMs: 5000, recordingsDir: null }]);
  });

  it.each<[object, object]>([
    [{}, { rulesDir: expect.stringMatching(/\Wrules$/), labelsDir: expect.stringMatching(/\Wlabels$/) }],
    [{ rules: "r" }, { rulesDir: "r", labelsDir: expect.stringMatching(/\Wlabels$/) }],
    [{ labels: ["l", "m"] }, { rulesDir: expect.stringMatching(/\Wrules$/), labelsDir: ["l", "m"] }],
  ])("decides by the folders %j", (given, folders) => {
    createExplainer({ rpcUrls: ["http://a"], ...given });
    expect(fake.folders).toEqual([folders]);
  });
});
