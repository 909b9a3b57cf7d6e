// What a page costs beyond the answer, warm: deciding again, gathering what the picture needs, telling the subject's view twice (once to
// know what to look up, once with the lookups), drawing, and writing the page. For the recording with the most movements and for all.
// Compared with JSON.parse of the same record, so that the machine's speed cancels out.
import { decide } from "../src/engine/spine.ts";
import type { ViewLookups } from "../src/model/case-file.ts";
import { renderTransactionPage } from "../src/serve/web/transaction-page.ts";
import { loadShipped, type Recorded, readRecorded } from "./support/recorded.ts";
import { lastKept, measureRounds, report } from "./support/rounds.ts";

const recorded = readRecorded();
const { ruleset, labels } = loadShipped();
const movements = ({ file }: Recorded) => decide(file, ruleset, labels).explanation.assets_moved.length;
const largest = recorded.reduce((most, item) => (movements(item) > movements(most) ? item : most));

function page({ file }: Recorded): string {
  const { explanation, evidence, pictureFacts, view } = decide(file, ruleset, labels);
  const first = view(null);
  // Told again when prices and balances are there.
  const { account, balance_changes } = first;
  const lookups: ViewLookups = { account: account.toLowerCase() as ViewLookups["account"], prices: {}, balances: [] };
  for (const { token_address } of balance_changes) {
    if (token_address === null) continue;
    const token = token_address.toLowerCase() as ViewLookups["account"];
    lookups.prices[token] = { status: "found", source: "prices.example", usd: "1.25" };
    lookups.balances.push({ status: "found", token, before: "0", after: "1" });
  }
  const told = { explanation, evidence: evidence(), facts: pictureFacts(), view: view(null, lookups) };
  return renderTransactionPage({ ...told, source: "network" });
}

for (const [name, items] of [
  [`the page of ${movements(largest)} movements`, [largest]],
  ["the page of every recording", recorded],
] as const) {
  const [, made] = measureRounds<Recorded>(
    [
      { name: "JSON.parse of the record", run: ({ text }) => JSON.parse(text) },
      { name, run: page },
    ],
    items,
  );
  const milliseconds = (made?.nanoseconds ?? Number.NaN) / 1e6;
  console.log(`${name}: ${milliseconds.toFixed(2)} ms`);
  report(`${name} ÷ JSON.parse of the record`, made?.ratioOfMeans ?? Number.NaN, 60);
  if (items.length === 1) report("milliseconds of it, of 10", milliseconds / 10, 1);
}
if (lastKept() === undefined) throw new Error("nothing was measured");
