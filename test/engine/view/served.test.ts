import { describe, expect, it } from "vitest";
import { openEngine } from "../../../src/engine/engine.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import type { AccountView } from "../../../src/model/told/account-view.ts";
import { createServer } from "../../../src/serve/http/server.ts";
import { addMcpEndpoint } from "../../../src/serve/mcp/endpoint.ts";
import { Service } from "../../../src/serve/service/service.ts";
import { readConfig } from "../../../src/serve/settings/config.ts";
import { openExplainer } from "../../../src/serve/start/open-explainer.ts";
import { both, callOf, postMcp } from "../../support/mcp-message.ts";
import { compileSchema } from "../../support/schema.ts";

const isView = compileSchema("view");
const engine = openEngine(readConfig({}));

/** The service over the shipped recordings. Its endpoint does not answer. */
function openViews() {
  const off = { RPC_URLS: "http://127.0.0.1:9", BLOCKSCOUT_URL: "", PRICES_URL: "", LOOKUPS: "off" };
  const explainer = openExplainer(readConfig(off), engine);
  const log = createLogger("silent", () => {});
  const service = new Service({ explainer, access: null, log });
  const shared = { service, viewer: explainer.viewer, version: "0.0.0-test", actionTypes: engine.actionTypes, log };
  const app = createServer({ ...shared, ruleset: engine.ruleset, readHead: async () => null });
  addMcpEndpoint(app, { ...shared, catalog: engine.catalog, host: "127.0.0.1", hosts: [], origins: [] });
  const post = (body: unknown) =>
    app.inject({
      method: "POST",
      url: "/view",
      headers: { "content-type": "application/json" },
      payload: JSON.stringify(body),
    });
  return { app, post };
}

const tx_hash = "0x455761ce3e1076eb03a3af1a90b935b42a703336e08aacf218afe76102d8d171";

describe("POST /view", () => {
  it("tells the account of the act, and any other", async () => {
    const { post } = openViews();
    const own = await post({ tx_hash });
    expect([own.statusCode, own.headers["x-txgloss-source"]]).toEqual([200, "recording"]);
    const view = own.json() as AccountView;
    expect(isView(view), JSON.stringify(isView.errors)).toBe(true);
    expect(view).toMatchObject({ role: "sender", summary: "0xBD1e…ff85 repaid 100.001 USDC to Compound III." });
    expect(view.balance_changes).toMatchObject([
      { token: "USDC", delta: "-100.000919", usd: null, balance_check: "not_checked" },
    ]);
    const other = await post({ tx_hash, account: "0xb125E6687d4313864e53df431d5425969c15Eb2F" });
    expect(other.json()).toMatchObject({
      role: "counterparty",
      balance_changes: [{ token: "USDC", delta: "100.000919" }],
    });
  });

  it.each([
    [{ tx_hash, account: "0x12" }, "invalid_account"],
    [{ tx_hash, account: 7 }, "invalid_account"],
    [{ tx_hash, acount: tx_hash }, "invalid_request"],
    [{ account: "0xb125E6687d4313864e53df431d5425969c15Eb2F" }, "invalid_tx_hash"],
    [{ tx_hash: `0x${"1".repeat(64)}` }, "upstream_unavailable"],
  ])("answers %j with %s", async (body, error) => {
    const { post } = openViews();
    expect((await post(body)).json()).toMatchObject({ error });
  });

  it("is the tool view_transaction too, with the same bytes", async () => {
    const { app, post } = openViews();
    const said = await postMcp(app, callOf({ name: "view_transaction", arguments: { tx_hash } }), both);
    const { content, structuredContent } = said.json().result;
    const body = (await post({ tx_hash })).body;
    expect(content[1].text).toBe(body);
    expect(structuredContent).toEqual(JSON.parse(body));
  });
});
