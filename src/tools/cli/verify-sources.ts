import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createEndpoint } from "../../gather/network/rpc/endpoint.ts";
import { checksum } from "../../kernel/address.ts";
import { chain } from "../../kernel/chain-profile.ts";
import type { CaseFile } from "../../model/case-file.ts";
import { type CommandResult, failedRun } from "../lint/command-result.ts";
import type { AskChain } from "../lint/facts/chain-check.ts";
import { type VerifyReport, verifySources } from "../lint/facts/verify-sources.ts";
import { ruleLint } from "../lint/program.ts";
import { defaultPaths, defaultRecordings, findSources } from "../lint/sources.ts";
import { readOptions, UsageError } from "../terminal/command-table.ts";
import { folderProblem } from "../terminal/file-problem.ts";
import { formatTable } from "../terminal/table.ts";
import { readOwnCase } from "./explainer.ts";
import { openProgress, progressText } from "./progress.ts";

/** Milliseconds for one batch of calls. */
const batchTimeoutMs = 20_000;

/** `rule-lint verify-sources`. Never rejects: errors are in the result. */
export async function runVerifySources(args: readonly string[]): Promise<CommandResult> {
  try {
    const { values, positionals } = readArguments(args);
    const progress = openProgress(process.stderr);
    const started = Date.now();
    const onChain = askOf(values.rpc);
    const report = await verifySources(findSources(positionals.length > 0 ? positionals : defaultPaths()), {
      repos: values.repos ?? null,
      cases: await readRecordings(values.recordings ?? defaultRecordings()),
      ask: values.rpc.length === 0 ? null : onChain.ask,
      onProgress: (done, all) => progress.show(progressText({ done, all, ms: Date.now() - started })),
    }).finally(() => progress.clear());
    const failed = report.checked.some(({ status }) => status === "moved" || status === "absent");
    return {
      status: failed ? 1 : 0,
      out: values.json ? verifyJson(report) : verifyText(report, values.all),
      err: onChain.silence(),
    };
  } catch (error) {
    return failedRun(error, ["verify-sources"]);
  }
}

/** Throws UsageError. */
function readArguments(args: readonly string[]) {
  const { values, positionals } = readOptions(args, ruleLint.commands["verify-sources"].options);
  const { repos, recordings, rpc } = values;
  for (const dir of [repos, recordings]) {
    const wrong = dir === undefined ? undefined : folderProblem(dir);
    if (wrong !== undefined) throw new UsageError(wrong);
  }
  for (const url of rpc)
    if (!URL.canParse(url) || !/^https?:/.test(url)) throw new UsageError(`--rpc expects an http or https address`);
  return { values, positionals };
}

/** `ask`: the first endpoint that answers. `silence`: a line for people where none did, else empty. */
function askOf(urls: readonly string[]): { ask: AskChain; silence(): string } {
  const options = { chainId: chain.id, callTimeoutMs: batchTimeoutMs, clock: Date };
  const endpoints = urls.map((url) => createEndpoint(url, options));
  let [asked, answered] = [false, false];
  const ask: AskChain = async (calls) => {
    let fault = "";
    asked = true;
    for (const endpoint of endpoints) {
      const answers = await endpoint.ask(calls, AbortSignal.timeout(batchTimeoutMs));
      if (typeof answers !== "string") {
        answered = true;
        return answers;
      }
      fault = answers;
    }
    return fault;
  };
  const hosts = urls.map((url) => new URL(url).host).join(", ");
  const silence = () => (asked && !answered ? `rule-lint: no endpoint answered (asked: ${hosts})\n` : "");
  return { ask, silence };
}

/** None where the folder is missing. Rejects with UsageError for a recording that cannot be read. */
async function readRecordings(dir: string): Promise<CaseFile[]> {
  if (!existsSync(dir)) return [];
  const names = readdirSync(dir).filter((name) => /^0x[0-9a-f]{64}\.json$/.test(name));
  return Promise.all(
    names.sort().map((name) =>
      readOwnCase(join(dir, name)).catch((error: Error) => {
        throw new UsageError(`${name}: ${error.message.split("\n")[0]}`);
      }),
    ),
  );
}

const statuses = ["found", "moved", "absent", "uncheckable"] as const;

/** For people: `moved` and `absent` sources (or `all`), and counts. Ends with a newline. */
export function verifyText({ checked, support }: VerifyReport, all: boolean): string {
  const shown = checked.filter(({ status }) => all || status === "moved" || status === "absent");
  const rows = shown.map(({ fact: { file, role, address, label }, source, status, detail }) => {
    return [status, file, role, address === null ? label : checksum(address), source, detail];
  });
  const counts = statuses.map(
    (status) => `${counted(checked.filter((one) => one.status === status).length)} ${status}`,
  );
  const contracts = support.two + support.one + support.none;
  const share = contracts === 0 ? 0 : (100 * support.two) / contracts;
  return [
    ...(rows.length > 0 ? [formatTable(rows), ""] : []),
    `${counted(checked.length)} ${checked.length === 1 ? "source or check" : "sources and checks"}: ${counts.join(", ")}`,
    `${counted(contracts)} ${contracts === 1 ? "contract" : "contracts"} of rules: ${counted(support.two)} (${share.toFixed(1)} %) rest on two independent origins, or on one and the chain, ` +
      `${counted(support.one)} on one, ${counted(support.none)} on none that can be checked`,
    "",
  ].join("\n");
}

/** One JSON object, in the order of the files. Ends with a newline. */
export function verifyJson({ checked, support }: VerifyReport): string {
  const sources = checked.map(({ fact: { file, kind, role, address, label }, source, status, detail }) => {
    return { file, kind, role, address: address === null ? null : checksum(address), label, source, status, detail };
  });
  const counts = Object.fromEntries(
    statuses.map((status) => [status, sources.filter((one) => one.status === status).length]),
  );
  return `${JSON.stringify({ version: 1, counts, support, sources }, null, 2)}\n`;
}

function counted(count: number): string {
  return count.toLocaleString("en");
}
