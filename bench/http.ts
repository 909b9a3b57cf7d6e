// A remembered POST /explain, open and metered, against bare node:http that parses the body and writes a cached buffer: CPU time of
// the server's process per request, the same load on all, rounds interleaved. One process of the same program is up to a seventh faster
// than another for as long as it runs, so there are some of each, and what counts is the mean of a round. Budget: 1.2 times.
import { hashOf } from "../test/support/sample.ts";
import { measure, median, startSubject } from "./support/load.ts";

const connections = 16;
const requestsPerRound = 4_000;
const rounds = 15;
const processes = 4;
const budget = 1.2;

const body = JSON.stringify({ tx_hash: hashOf(1) });
const requestBytes = Buffer.from(
  `POST /explain HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
);
const kinds = [
  { subject: "bare", title: "bare node:http, cached buffer" },
  { subject: "open", title: "POST /explain, open" },
  { subject: "metered", title: "POST /explain, metered" },
];
const groups = kinds.map(({ subject }) => Array.from({ length: processes }, () => startSubject(subject)));
const subjects = await Promise.all(groups.map((group) => Promise.all(group)));

await measure(subjects.flat(), { rounds, requests: requestsPerRound, connections, bytes: requestBytes });

/** Microseconds per request of each round, by kind. */
const means = subjects.map((group) =>
  Array.from(
    { length: rounds },
    (_, round) => group.reduce((sum, { samples }) => sum + samples[round]!, 0) / processes,
  ),
);
for (const [i, { title }] of kinds.entries())
  console.log(`${title.padEnd(31)} ${median(means[i]!).toFixed(1)} µs CPU per request`);
for (const [i, bench] of ["cached /explain ÷ bare node:http", "cached /explain, metered ÷ bare node:http"].entries()) {
  const ratio = median(means[i + 1]!.map((mean, round) => mean / means[0]![round]!));
  console.log(JSON.stringify({ bench, ratio: Number(ratio.toFixed(2)), limit: budget }));
}
