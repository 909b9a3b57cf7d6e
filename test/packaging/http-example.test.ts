import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadEngine } from "../../src/engine/engine.ts";
import { readCase } from "../../src/gather/recordings/case-format.ts";
import { readConfig } from "../../src/serve/settings/config.ts";
import { root } from "../support/shared.ts";

it("shows in docs/http-api.md what the service really answers for a recorded transaction", async () => {
  const page = readFileSync(join(root, "docs/http-api.md"), "utf8");
  const shown = JSON.parse(/```json\n([\s\S]+?)```/.exec(page)?.[1] ?? "null");
  const file = await readCase(join(root, "test/transactions", `${shown.tx_hash}.json`));
  const { engine } = loadEngine(readConfig({}));
  expect(shown).toEqual(JSON.parse(JSON.stringify(engine.decide(file).explanation)));
});
