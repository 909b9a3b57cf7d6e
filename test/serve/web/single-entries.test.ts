import { describe, expect, it } from "vitest";
import { renderMessagePage } from "../../../src/serve/web/preview/message-page.ts";
import { emptyForm } from "../../../src/serve/web/preview/preview-form.ts";
import { renderPreviewPage } from "../../../src/serve/web/preview/preview-page.ts";
import { renderProtocolPage } from "../../../src/serve/web/protocol-pages.ts";
import { renderTransactionPage } from "../../../src/serve/web/transaction-page.ts";
import { grantOf, picturedOf } from "../picture/sample.ts";
import { bareEvidence, barePage, fullEvidence, fullMessage, fullPage, fullPreview, protocol } from "./sample.ts";

const bare = barePage();
const full = fullPage();
const one = picturedOf({ moves: ["S A 1.5 USDC"] });
const [action] = fullEvidence().actions;

/** The page of a transaction with nothing in it but this. */
function page({
  explanation = {},
  facts = {},
  ...more
}: {
  explanation?: object;
  facts?: object;
  [part: string]: unknown;
}) {
  return renderTransactionPage({
    ...bare,
    ...more,
    explanation: { ...bare.explanation, ...explanation },
    facts: { ...bare.facts, ...facts },
  });
}

const moving = (facts: object = {}, untrusted_fields: string[] = []) =>
  page({
    explanation: { ...one.explanation, provenance: { untrusted_fields, note: "" } },
    facts: { ...one.facts, ...facts },
  });

describe("one entry is shown like many", () => {
  it("of movements, with the caption of the picture", () => {
    const order = "Top to bottom is the order in which it happened. Figures are rounded; the table has them exactly.";
    expect(moving()).toContain(`<figcaption>${order}</figcaption>`);
    expect(moving()).toContain('<h2 id="movements">All movements</h2>');
    expect(moving({}, ["assets_moved[0].token"])).toContain(
      `<figcaption>${order} A name in “quotes” was chosen by a stranger and proves nothing.</figcaption>`,
    );
    expect(moving({ grants: [grantOf({})] })).toContain(
      `<figcaption>${order} A dashed arrow is a right that stays.</figcaption>`,
    );
    expect(page({})).not.toContain("figcaption");
    expect(page({})).not.toContain("All movements");
  });

  it("of movements that found no room", () => {
    expect(moving({ cut: 1 })).toContain('<p class="note">1 more movement found no room here.</p>');
    expect(moving({ cut: 2 })).toContain('<p class="note">2 more movements found no room here.</p>');
    expect(moving({ cut: 0 })).not.toContain("found no room");
  });

  it("of codes that calls were sent with, which are a stranger's words", () => {
    const attributed = (codes: { code: string; role: "app" | null; registry: null }[], left_out: number) =>
      page({ evidence: { ...bareEvidence(), attribution: [{ call: 4, schema: 2, codes, left_out }] } });
    const code = { code: "baseapp", role: "app", registry: null } as const;
    expect(attributed([code], 0)).toContain("<li>call 4: app “<bdi>baseapp</bdi>”</li>");
    expect(attributed([code, { ...code, role: null }], 1)).toContain(
      "<li>call 4: app “<bdi>baseapp</bdi>”, “<bdi>baseapp</bdi>”, 1 that is not shown</li>",
    );
    expect(attributed([], 2)).toContain("<li>call 4: 2 that are not shown</li>");
    expect(attributed([], 0)).toContain("<li>call 4: no code that can be read</li>");
    expect(page({})).not.toContain("Says it was sent with");
  });

  it("of marks, of which each leg has its own", () => {
    const marked = (leg: object) => {
      const [first] = one.facts.legs;
      return /<small>([^<]*)<\/small><\/td>/.exec(moving({ legs: [{ ...first, ...leg }] }))?.[1];
    };
    const all = { raw: true, fee: true, inferred: true };
    expect([marked({}), marked({ raw: true }), marked({ fee: true }), marked({ inferred: true }), marked(all)]).toEqual(
      [...["subject", "raw units", "gas", "follows from the rest", "raw units, gas, follows from the rest"]],
    );
    expect(moving({ legs: [] })).toContain('<h2 id="movements">');
  });

  it("of changes", () => {
    const [change] = full.facts.changes;
    expect(page({ facts: { changes: [change] } })).toContain('<h2 id="changes">What changed for ');
    expect(page({})).not.toContain("What changed for ");
  });

  it("of rights", () => {
    expect(page({ facts: { grants: [grantOf({})] } })).toContain('<h2 id="rights">Rights that stay</h2>');
    expect(page({})).not.toContain("Rights that");
  });

  it("of flags and of accounts that were not looked at", () => {
    const risk_flags = [{ flag: "first_time_counterparty", detail: "Never before." }];
    const text = page({ explanation: { risk_flags } });
    expect(text).toContain('<li class="flag"><strong>First time</strong> <bdi>Never before.</bdi></li>');
    const checks = { ...bare.explanation.checks, unchecked_addresses: [`0x${"c".repeat(40)}`] };
    expect(page({ explanation: { checks } })).toContain("Not looked at: <a");
    expect(page({})).not.toContain("Not looked at");
  });

  it("of rules", () => {
    const told = (evidence: object) => page({ evidence: { ...bareEvidence(), ...evidence } });
    expect(told({ actions: [action] })).not.toContain("No rule explains this transaction.");
    expect(told({})).toContain("No rule explains this transaction.");
    const item = (parts: object) =>
      /finds <em>[^<]*<\/em>([^<]*)<\/li>/.exec(
        told({ actions: [{ ...action, logs: [], calls: [], movements: [], ...parts }] }),
      )?.[1];
    expect([item({}), item({ logs: [3] }), item({ logs: [3, 4], calls: [7] })]).toEqual([
      ...["", ": log 3", ": logs 3, 4; call 7"],
    ]);
    const many = (count: number) => Array.from({ length: count }, (_, i) => i);
    expect(item({ movements: many(40) })).toBe(`: movements ${many(40).join(", ")}`);
    expect(item({ movements: many(41) })).toBe(`: movements ${many(40).join(", ")}…`);
  });

  it("of what a preview asks for", () => {
    const told = (asks: string[]) =>
      renderPreviewPage({
        ...{ preview: { ...fullPreview(), asks }, facts: bare.facts, evidence: bareEvidence(), form: emptyForm },
      });
    expect(told(["pay"])).toContain("<h2>What it asks for</h2><ul><li><bdi>pay</bdi></li></ul>");
    expect(told([])).not.toContain("What it asks for");
  });

  it("of the rights and values of a message", () => {
    const message = fullMessage();
    const told = (grants: number, fields: number) =>
      renderMessagePage({
        message: {
          ...{ ...message, grants: message.grants.slice(0, grants) },
          message: { ...message.message, fields: message.message.fields.slice(0, fields) },
        },
        ...{ signer: `0x${"9".repeat(40)}` as never, form: emptyForm },
      });
    expect(told(1, 1)).toContain("<figure>");
    expect(told(0, 1)).not.toContain("<figure>");
    expect(told(0, 1)).toContain('aria-labelledby="signed"');
    expect(told(0, 0)).not.toContain('aria-labelledby="signed"');
  });
});

describe("lists of one", () => {
  it("are shown like longer ones", () => {
    const { contracts, members, rules } = protocol;
    const one = { contracts: contracts.slice(0, 1), members: members.slice(0, 1), rules: rules.slice(0, 1) };
    const heads = (page: string) => [...page.matchAll(/<h[23][^>]*>([^<]*)</g)].map(([, text]) => text);
    expect(heads(renderProtocolPage({ ...protocol, ...one }))).toEqual(["Rules", "Contracts", "Proven contracts"]);
    expect(renderProtocolPage({ ...protocol, ...one })).toContain('<span class="tag">nft sell</span>');
    const { calls, superseded, unexplained, unclaimed_logs, risk, ...rest } = fullEvidence();
    const first = {
      calls: calls.slice(0, 1),
      superseded: superseded.slice(0, 1),
      unexplained: unexplained.slice(0, 1),
    };
    const found = { examined: [], findings: risk.findings.slice(0, 1), lookups: risk.lookups.slice(0, 1) };
    const told = (evidence: Partial<typeof first>) =>
      heads(
        renderTransactionPage({
          ...full,
          evidence: { ...rest, ...first, unclaimed_logs: [], risk: found, ...evidence },
        }),
      ).slice(-7);
    expect(told({})).toEqual([
      ...["Rules", "Logs that they rest on", "Calls", "Rules that fit and lost", "What no rule explains"],
      ...["Findings", "Who was asked"],
    ]);
    expect(told({ unexplained: [], unclaimed_logs } as never)).toEqual(told({}));
  });
});
