// A remembered POST /explain against bare node:http that parses the body and writes a cached buffer: CPU time of the server's
// process per request, the same load on both, rounds interleaved. Budget: 1.3 times.
import { hashOf } from "../test/support/sample.ts";
import { measure, median, startSubject } from "./support/load.ts";

const connections = 16;
const requestsPerRound = 4_000;
const rounds = 15;
const budget = 1.3;

const body = JSON.stringify({ tx_hash: hashOf(1) });
const requestBytes = Buffer.from(
  `POST /explain HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
);
const subjects = [await startSubject("bare"), await startSubject("open")];

await measure(subjects, { rounds, requests: requestsPerRound, connections, bytes: requestBytes });

const [bare, server] = subjects.map(({ samples }) => median(samples)) as [number, number];
const ratio = median(subjects[1]!.samples.map((value, round) => value / subjects[0]!.samples[round]!));
console.log(`bare node:http, cached buffer   ${bare.toFixed(1)} µs CPU per request`);
console.log(`POST /explain, remembered       ${server.toFixed(1)} µs CPU per request`);
console.log(
  JSON.stringify({ bench: "cached /explain ÷ bare node:http", ratio: Number(ratio.toFixed(2)), limit: budget }),
);
