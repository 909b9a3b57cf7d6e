// A remembered POST /explain, open and metered, compared with bare node:http that parses the body and writes a cached buffer. CPU time of
// the server's process per request, the same load on all, rounds interleaved. Budget: 2.5 times.
import { hashOf } from "../test/support/sample.ts";
import { measure, median, startSubject } from "./support/load.ts";

const connections = 16;
const requestsPerRound = 4_000;
const sets = 4;
const rounds = 7;
const budget = 2.5;

const body = JSON.stringify({ tx_hash: hashOf(1) });
const requestBytes = Buffer.from(
  `POST /explain HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
);
const names = ["bare", "open", "metered"] as const;
const samples: Record<(typeof names)[number], number[]> = { bare: [], open: [], metered: [] };
// Two processes with the same code may differ by a tenth. So each ratio is the median over several fresh ones.
for (let set = 0; set < sets; set++) {
  const subjects = [await startSubject("bare"), await startSubject("open"), await startSubject("metered")];
  await measure(subjects, { rounds, requests: requestsPerRound, connections, bytes: requestBytes });
  for (const [i, name] of names.entries()) samples[name].push(...(subjects[i]?.samples ?? []));
}

const titles = {
  bare: "bare node:http, cached buffer",
  open: "POST /explain, open",
  metered: "POST /explain, metered",
};
for (const name of names)
  console.log(`${titles[name].padEnd(30)}  ${median(samples[name]).toFixed(1)} µs CPU per request`);
for (const [name, bench] of [
  ["open", "cached /explain ÷ bare node:http"],
  ["metered", "cached /explain, metered ÷ bare node:http"],
] as const) {
  const ratio = median(samples[name].map((value, round) => value / (samples.bare[round] as number)));
  console.log(JSON.stringify({ bench, ratio: Number(ratio.toFixed(2)), limit: budget }));
}
