import { executionAsyncResource } from "node:async_hooks";

/** What is kept, for as long as the process lives. */
const kept: object[] = [];

/**
 * Keeps `process.nextTick` quick. V8 forgets the shape of objects when a full collection finds none of them alive, and Node.js makes
 * an object for each tick that lives for a moment. When their shape was forgotten once, each tick takes a slow way for ever, because
 * it names two fields by symbols: 3 µs more for each request (bench/http.ts, Node.js 24.21). So one of them is kept. Call it before
 * anything is loaded.
 */
export function keepTickShape(): void {
  process.nextTick(() => kept.push(executionAsyncResource()));
}
