// The time from a case file to the bytes of its answer (normalize, unwrap, match, settle, assess, present, serialise), warm, for every
// recorded transaction. Compared with JSON.parse of the same record, and with viem decoding its logs alone. Budget: 12 times
// JSON.parse.
import { type AbiEvent, decodeEventLog, parseAbiItem } from "viem";
import { decide } from "../src/engine/spine.ts";
import type { RpcLog } from "../src/model/case-file.ts";
import { keepObjectsYoung } from "../src/serve/start/runtime.js";
import { loadShipped, type Recorded, readRecorded } from "./support/recorded.ts";
import { lastKept, measureRounds, report } from "./support/rounds.ts";

// As the service starts.
keepObjectsYoung();
const budget = { median: 12, all: 12 };
const recorded = readRecorded();
const { ruleset, labels } = loadShipped();
const abis = readAbis();
const known = new Map(recorded.map((item) => [item, item.file.receipt.logs.filter((log) => abiOf(log) !== undefined)]));
const knownCount = [...known.values()].reduce((sum, logs) => sum + logs.length, 0);

// V8 goes on compiling for some 50,000 transactions. Before that, the compiler would be measured too.
const warmups = 400;
const measured = measureRounds<Recorded>(
  [
    { name: "JSON.parse of the record", run: ({ text }) => JSON.parse(text) },
    { name: "engine", run: ({ file }) => Buffer.from(JSON.stringify(decide(file, ruleset, labels).explanation)) },
    { name: `viem decodeEventLog, ${knownCount} logs it is given`, run: (item) => known.get(item)?.map(decodeByViem) },
  ],
  recorded,
  { warmups },
);
if (lastKept() === undefined) throw new Error("nothing was measured");

const [, engine, viem] = measured;
console.log(`${recorded.length} recorded transactions, µs per transaction`);
for (const { name, nanoseconds } of measured)
  console.log(`${name.padEnd(44)} ${(nanoseconds / 1000).toFixed(1).padStart(7)}`);
report("engine ÷ JSON.parse of the record, median transaction", engine?.ratio ?? Number.NaN, budget.median);
report("engine ÷ JSON.parse of the record, all transactions", engine?.ratioOfMeans ?? Number.NaN, budget.all);
report(
  "engine ÷ viem decodeEventLog of the logs alone",
  (engine?.nanoseconds ?? Number.NaN) / (viem?.nanoseconds ?? 0),
);

/** The events of the shipped rules, as viem reads them. */
function readAbis(): Map<string, AbiEvent[]> {
  const found = new Map<string, AbiEvent[]>();
  for (const { anchor } of ruleset.rules) {
    if (anchor.kind !== "event") continue;
    const { hash, signature, indexed } = anchor.event;
    found.set(hash, [
      ...(found.get(hash) ?? []),
      parseAbiItem(withIndexed(signature, indexed) as "event A()") as AbiEvent,
    ]);
  }
  return found;
}

/** `A(address,uint256)` → `event A(address indexed,uint256)`. */
function withIndexed(signature: string, indexed: readonly boolean[]): string {
  let parameter = 0;
  let depth = 0;
  const marked = signature.replace(/[(),]/g, (mark) => {
    depth += mark === "(" ? 1 : mark === ")" ? -1 : 0;
    const ends = (mark === "," && depth === 1) || (mark === ")" && depth === 0);
    return ends && indexed[parameter++] ? ` indexed${mark}` : mark;
  });
  return `event ${marked}`;
}

/** The event of this log, found by its topics as a caller of viem must do. */
function abiOf({ topics }: RpcLog): AbiEvent | undefined {
  const candidates = abis.get(topics[0] ?? "");
  return candidates?.find(({ inputs }) => inputs.filter((input) => input.indexed).length === topics.length - 1);
}

function decodeByViem(log: RpcLog): unknown {
  const { topics, data } = log as unknown as { topics: [`0x${string}`]; data: `0x${string}` };
  return decodeEventLog({ abi: [abiOf(log) as AbiEvent], topics, data, strict: false });
}
