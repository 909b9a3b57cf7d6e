import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { parseTransaction } from "viem";
import { decideMessage } from "../../../../src/engine/messages/decide-message.ts";
import { decide } from "../../../../src/engine/spine.ts";
import { type Address, readAddress, toAddress } from "../../../../src/kernel/address.ts";
import type { Labels } from "../../../../src/model/label.ts";
import type { Ruleset } from "../../../../src/rules/ruleset/ruleset.ts";
import { importDescriptors } from "../../../../src/tools/erc7730/import.ts";
import { alice, caseOf, frame, traced } from "../../../support/case-of.ts";
import { shippedLabels } from "../../../support/labels.ts";
import { compileOwn } from "../../../support/own-rules.ts";
import { noRules } from "../descriptor-folder.ts";
import { tells } from "./shown-value.ts";
import type { WalletTest } from "./wallet-test.ts";

/** The result of one test: the sentence, and which of the values it tells. */
export interface Outcome {
  test: WalletTest;
  sentence: string;
  told: number;
  lost: { label: string; value: string }[];
}

/** Explains what each test signs, using only the rules made from the descriptors of its chain. */
export function runWalletTests(registry: string, tests: readonly WalletTest[]): Outcome[] {
  const byChain = Map.groupBy(tests, chainOf);
  return [...byChain].flatMap(([chain, group]) => {
    const rules = importFor(registry, group, chain);
    return group.map((test) => outcomeOf(test, sentenceOf(test, rules)));
  });
}

function outcomeOf(test: WalletTest, sentence: string): Outcome {
  const judged = test.values.map((one) => ({ ...one, is: tells(sentence, one.value, test) }));
  const lost = judged.filter(({ is }) => is === false).map(({ label, value }) => ({ label, value }));
  return { test, sentence, told: judged.filter(({ is }) => is === true).length, lost };
}

function chainOf({ rawTx, data }: WalletTest): number {
  if (rawTx !== undefined) return parseTransaction(rawTx).chainId as number;
  return Number(data?.domain.chainId ?? 8453);
}

/** The rules of the descriptors that some tests are about, as if their chain were Base. */
function importFor(registry: string, tests: readonly WalletTest[], chain: number): Ruleset {
  const folder = mkdtempSync(join(tmpdir(), "txgloss-registry-"));
  const swap = (id: number) => (id === chain ? 8453 : id === 8453 ? chain : id);
  const copy = (path: string): void => {
    const text = readFileSync(join(registry, path), "utf8");
    const swapped = JSON.parse(text, (key, value) => {
      if (key === "chainId" && typeof value === "number") return swap(value);
      if (key !== "values" || value === null || typeof value !== "object" || Array.isArray(value)) return value;
      return Object.fromEntries(Object.entries(value).map(([k, one]) => [/^\d+$/.test(k) ? swap(Number(k)) : k, one]));
    });
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), JSON.stringify(swapped));
    if (typeof swapped.includes === "string") copy(normalize(join(dirname(path), swapped.includes)));
  };
  for (const path of new Set(tests.map(({ descriptor }) => descriptor))) copy(path);
  const { files } = importDescriptors(folder, noRules);
  rmSync(folder, { recursive: true });
  return compileOwn(...files.map(({ text }) => text));
}

function sentenceOf(test: WalletTest, rules: Ruleset): string {
  const labels = withOwn(test);
  const { rawTx, data } = test;
  if (data !== undefined) {
    const typed_data = {
      ...data,
      domain: { ...data.domain, ...(data.domain.chainId === undefined ? {} : { chainId: 8453 }) },
    };
    return decideMessage({ from: readAddress(test.from) ?? alice, typed_data }, rules, labels).explanation.summary;
  }
  const { to, value = 0n, data: input = "0x" } = parseTransaction(rawTx as `0x${string}`);
  const from = readAddress(test.from) ?? alice;
  const called = toAddress(String(to));
  const transaction = { from, to: called, value: `0x${value.toString(16)}` as const, input };
  const trace = traced(frame(from, called, { error: "out of gas", value: transaction.value, input }));
  const file = caseOf({ transaction, receipt: { status: "0x0", logs: [] }, trace });
  const { summary } = decide(file, rules, labels).explanation;
  return summary.replace(/, but the transaction reverted\..*$/s, "");
}

/** The shipped labels with the tokens and names that the wallet of a test has. */
function withOwn({ tokens, names }: WalletTest): Labels {
  const labels = shippedLabels();
  const own = (address: Address) => {
    const token = tokens.get(address);
    return token && { address, wellKnown: false, ...token, name: token.name ?? token.symbol };
  };
  return {
    ...{
      fingerprint: labels.fingerprint,
      calendar: labels.calendar,
      proxies: labels.proxies,
      confusables: labels.confusables,
    },
    tokens: () => labels.tokens(),
    decimals: (address) => labels.decimals(address),
    feed: (address) => labels.feed(address),
    system: (role) => labels.system(role),
    chain: (scheme, id) => labels.chain(scheme, id),
    accountForm: (chain) => labels.accountForm(chain),
    token: (address) => own(toAddress(address)) ?? labels.token(address),
    name: (address) => {
      const label = names.get(address);
      const known = labels.name(address);
      return known ?? (label === undefined ? undefined : { address: toAddress(address), label, category: "other" });
    },
  };
}
