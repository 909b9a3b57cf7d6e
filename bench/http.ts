// A remembered POST /explain, open and metered, against bare node:http that parses the body and writes a cached buffer: CPU time of
// the server's process per request, the same load on all, rounds interleaved. Budget: 1.2 times.
import { hashOf } from "../test/support/sample.ts";
import { measure, median, startSubject } from "./support/load.ts";

const connections = 16;
const requestsPerRound = 4_000;
const rounds = 15;
const budget = 1.2;

const body = JSON.stringify({ tx_hash: hashOf(1) });
const requestBytes = Buffer.from(
  `POST /explain HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
);
const subjects = [await startSubject("bare"), await startSubject("open"), await startSubject("metered")];

await measure(subjects, { rounds, requests: requestsPerRound, connections, bytes: requestBytes });

const names = ["bare node:http, cached buffer ", "POST /explain, open           ", "POST /explain, metered        "];
for (const [index, { samples }] of subjects.entries())
  console.log(`${names[index]}  ${median(samples).toFixed(1)} µs CPU per request`);
for (const [index, bench] of [
  [1, "cached /explain ÷ bare node:http"],
  [2, "cached /explain, metered ÷ bare node:http"],
] as const) {
  const ratio = median(subjects[index]!.samples.map((value, round) => value / subjects[0]!.samples[round]!));
  console.log(JSON.stringify({ bench, ratio: Number(ratio.toFixed(2)), limit: budget }));
}
