// What a page costs beyond the answer: deciding again, gathering what the picture needs, and drawing and writing the page, warm, for
// the recording with the most movements and for all. Against JSON.parse of the same record, which the machine's speed cancels out of.
import { decide } from "../src/engine/decide.ts";
import { renderTransactionPage } from "../src/web/transaction-page.ts";
import { loadShipped, type Recorded, readRecorded } from "./support/recorded.ts";
import { lastKept, measureRounds, report } from "./support/rounds.ts";

const recorded = readRecorded();
const { ruleset, labels } = loadShipped();
const movements = ({ file }: Recorded) => decide(file, ruleset, labels).explanation.assets_moved.length;
const largest = recorded.reduce((most, item) => (movements(item) > movements(most) ? item : most));

function page({ file }: Recorded): string {
  const { explanation, evidence, pictureFacts } = decide(file, ruleset, labels);
  return renderTransactionPage({ explanation, evidence: evidence(), facts: pictureFacts(), source: "network" });
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
