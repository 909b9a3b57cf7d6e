// A remembered POST /explain against bare node:http that parses the body and writes a cached buffer: CPU time of the server's
// process per request, the same load on both, rounds interleaved. Budget: 1.3 times.
import { hashOf } from "../test/support/sample.ts";
import { compare, measure, median, startSubject, writePost } from "./support/cpu-load.ts";

const request = writePost("/explain", JSON.stringify({ tx_hash: hashOf(1) }));
const bare = await startSubject("bare", request);
const door = await startSubject("door", request);
await measure([bare, door]);
console.log(`bare node:http, cached buffer   ${median(bare.samples).toFixed(1)} µs CPU per request`);
console.log(`POST /explain, remembered       ${median(door.samples).toFixed(1)} µs CPU per request`);
console.log(JSON.stringify({ bench: "cached /explain ÷ bare node:http", ratio: compare(bare, door), limit: 1.3 }));
