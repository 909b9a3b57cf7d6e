import { join } from "node:path";
import { RESOURCE_MIME_TYPE, RESOURCE_URI_META_KEY } from "@modelcontextprotocol/ext-apps/server";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCase } from "../../../src/gather/recordings/case-format.ts";
import { drawingAttributes, drawingElements } from "../../../src/serve/mcp/picture-app/app-program.ts";
import { createPictureReader } from "../../../src/serve/mcp/picture-app/picture-resource.ts";
import { narrowSize, pictureFile, wideSize } from "../../../src/serve/picture/picture.ts";
import type { TransactionPage } from "../../../src/serve/web/transaction-page.ts";
import { explainerOver } from "../../support/explainer.ts";
import { type McpClient, mcpClients } from "../../support/mcp-client.ts";
import { callOf, postMcp } from "../../support/mcp-message.ts";
import { hostilePage, recordedDir, recordedPages } from "../../support/recorded-pictures.ts";
import { approval, decide, named, pictured, startPictureServer, stranger, swap } from "./picture-server.ts";

const sha256 = async (text: string) =>
  Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toString("hex");

let app: FastifyInstance;
let url: string;
beforeAll(async () => {
  ({ app, url } = await startPictureServer());
});
afterAll(() => app.close());

describe.each(Object.entries(mcpClients))("pictures for %s", (_name, connect) => {
  let client: McpClient;
  beforeAll(async () => {
    client = await connect(url);
  });
  afterAll(() => client.close());

  it("the tool names the page that draws its results, as the package does", async () => {
    const [explain, ...others] = await client.listTools();
    const uri = "ui://txgloss/transaction";
    expect(explain?._meta).toEqual({ ui: { resourceUri: uri }, [RESOURCE_URI_META_KEY]: uri });
    expect(others.map(({ _meta }) => _meta)).toEqual(others.map(() => undefined));
    const listed = (await client.listResources()).find((resource) => resource.uri === uri);
    const nothing = { connectDomains: [], resourceDomains: [] };
    const meta = { ui: { csp: nothing, prefersBorder: true } };
    expect(listed).toMatchObject({ mimeType: RESOURCE_MIME_TYPE, _meta: meta });
    expect(await client.readResource(uri)).toMatch(/^<!doctype html>/);
  });

  it("a picture is given only to a client that has the answer, in either form", async () => {
    for (const detail of ["full", "summary"]) {
      const answer = await client.call("explain_transaction", { tx_hash: approval, detail });
      const proof = await sha256(String(answer.content[1]?.text));
      expect(await client.readResource(`txgloss://picture/${approval}/${proof}`)).toBe(
        pictureFile(await pictured(approval), wideSize),
      );
    }
    const proof = await sha256("something else");
    const never = named("0xf62feb7a");
    const own = await sha256(JSON.stringify((await pictured(never)).explanation));
    for (const uri of [
      `txgloss://picture/${approval}/${proof}`,
      `txgloss://picture/${approval}/`,
      `txgloss://picture/${approval}`,
      "txgloss://picture/",
      `txgloss://picture/x/${proof}`,
      // There was no request for it yet, so no answer is remembered from which it could be drawn.
      `txgloss://picture/${never}/${own}`,
    ])
      await expect(client.readResource(uri)).rejects.toThrow(/not found/i);
  });
});

it("a drawing never makes the service ask for a transaction again", async () => {
  let gathered = 0;
  const explainer = explainerOver({
    gather: (hash) => {
      gathered++;
      return readCase(join(recordedDir, `${hash}.json`));
    },
    decide,
  });
  const { body } = await explainer.explain(swap);
  const uri = `txgloss://picture/${swap}/${await sha256(body.toString())}`;
  expect(await createPictureReader({ explainer, decide })(uri)).toHaveLength(2);
  // As if more case files came since then: case files are forgotten before answers.
  const forgetful = { ...explainer, examined: () => undefined };
  expect(await createPictureReader({ explainer: forgetful, decide })(uri)).toBeUndefined();
  expect(gathered).toBe(1);
});

it("what hosts without pages get does not change by a byte", async () => {
  const plain = await postMcp(app, callOf({ arguments: { tx_hash: swap } }));
  const { explanation } = await pictured(swap);
  const text = JSON.stringify(explanation);
  const content = [
    { type: "text", text: explanation.summary },
    { type: "text", text },
  ];
  expect(plain.body).toBe(
    `{"result":{"content":${JSON.stringify(content)},"structuredContent":${text}},"jsonrpc":"2.0","id":1}`,
  );
});

it("drawings are made of what the app takes, and of nothing that could run or load", () => {
  const [names, attributes] = [new Set<string>(), new Set<string>()];
  const pages = recordedPages();
  for (const page of [...pages.values(), hostilePage(pages.get(stranger) as TransactionPage)])
    for (const size of [wideSize, narrowSize])
      for (const [, name = "", rest = ""] of pictureFile(page, size).matchAll(/<([a-z]+)((?: [\w-]+="[^"]*")*)/gi)) {
        names.add(name);
        for (const [, attribute = ""] of rest.matchAll(/ ([\w-]+)=/g)) attributes.add(attribute);
      }
  names.delete("style");
  expect([...names].toSorted()).toEqual(drawingElements.toSorted());
  expect([...attributes].toSorted()).toEqual(drawingAttributes.toSorted());
  expect(drawingAttributes.filter((name) => /^(?:on|.*href|src|style)/i.test(name))).toEqual([]);
});
