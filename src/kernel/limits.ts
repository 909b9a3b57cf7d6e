/** Limits of the work on one transaction or message, and of its answer. An answer that reaches one says so (`partial`). */
export const limits = {
  /** typed data (EIP-712): characters of its JSON, structs, members of one struct, values, nesting */
  typedDataCharsMax: 65_536,
  typedStructsMax: 64,
  typedMembersMax: 64,
  typedValuesMax: 4_096,
  typedDepthMax: 16,
  /** how deep calls inside calls are followed */
  callDepthMax: 16,
  /** unwrapped calls of one transaction */
  unwrappedCallsMax: 512,
  /** call frames of one trace */
  framesMax: 20_000,
  /** logs of one transaction that are read: more than a block can hold */
  logsMax: 100_000,
  /** logs that rules are tried on; those of contracts that rules name, and those about the sender, go first */
  matchedLogsMax: 1_024,
  /** candidates from which the actions are chosen */
  candidatesMax: 256,
  /** logs, and candidates, times the movements that each may look at: where much moved, fewer logs and candidates are allowed */
  matchedLogStepsMax: 2_000_000,
  candidateStepsMax: 150_000,
  /** movements of one transaction; ether, listed tokens and the sender's own movements go first */
  movementsMax: 10_000,
  /** movements that are examined to follow what one account gave of one asset */
  trailStepsMax: 50_000,
  /** EIP-7702 authorizations of one transaction whose signers are recovered: about a millisecond each */
  authorizationsMax: 64,
  /** elements of one decoded array of calldata or of an event */
  arrayItemsMax: 4_096,
  /** entries of assets_moved; may be exceeded by movements of the accounts that the transaction is about */
  assetsMax: 200,
  /** entries of assets_moved at most, also of those accounts, so that a body stays under 256 KB */
  ownAssetsMax: 300,
  /** entries of one list in the evidence; `completeness` gives the full numbers */
  evidenceMax: 1_000,
  /** values and rights of a message that are listed */
  signedFieldsMax: 32,
  signedGrantsMax: 50,
  /** entries of counterparties */
  counterpartiesMax: 100,
  /** bytes of an answer; risk_flags get what the other lists leave */
  answerBytesMax: 262_144,
  /** characters of a summary */
  summaryCharsMax: 480,
  /** characters of the labelled values of one list, and elements of one array, that a sentence tells */
  fieldsCharsMax: 300,
  toldElementsMax: 4,
  /** characters of the summary of a preview, which begins with the block of the simulation */
  previewSummaryCharsMax: 640,
  /** actions and rights that are listed for a preview that was not simulated (`asks`) */
  asksMax: 64,
  /** characters of a summary template */
  templateCharsMax: 280,
  /** how deep operators nest in one condition */
  conditionDepthMax: 12,
  /** characters of a token's symbol, and of its name, as they are shown */
  symbolCharsMax: 32,
  nameCharsMax: 128,
  /** tokens whose metadata is read for one transaction */
  tokensMax: 256,
  /** on-chain reads that prove membership, in one transaction */
  readsMax: 256,
} as const;

/** Limits of the service, its tools and its callers. Browsers need none of them. */
export const serviceLimits = {
  /** bytes of a request body */
  bodyBytesMax: 4096,
  /** bytes of a body of /preview, and of the calldata in it; a transaction may not have as much */
  previewBodyBytesMax: 294_912,
  previewDataBytesMax: 131_072,
  /** how many milliseconds a page waits for prices and balances */
  pagePricesMs: 800,
  /** hashes of a batch, bytes of its body, and milliseconds within which work on its lines may start */
  batchLinesMax: 100,
  batchBodyBytesMax: 16_384,
  batchMs: 60_000,
  /** lines of a batch that are worked on at once, and finished lines that may wait until the caller has read the earlier ones */
  batchAtOnce: 8,
  batchAheadMax: 16,
  /** bytes of drawings that are remembered for a minute */
  drawingBytesMax: 8 * 1024 * 1024,
  /** bytes of remembered previews */
  previewCacheBytes: 16 * 1024 * 1024,
  /** bytes of an MCP message; a payment in it takes about 3,100 */
  messageBytesMax: 65_536,
  /** how deep objects and arrays nest in an MCP message */
  messageDepthMax: 128,
  /** open streams of MCP subscriptions */
  subscriptionsMax: 64,
  /** a case with more than these is decided in a worker thread: logs, call frames, bytes of data, EIP-7702 authorizations */
  hereLogsMax: 200,
  hereFramesMax: 1_000,
  hereBytesMax: 131_072,
  hereAuthorizationsMax: 16,
  /**
   * cases that may wait for one worker thread, and how many of them of one client; a case that is larger than so many times what is
   * decided at once goes to the thread for the largest
   */
  largeWaitingMax: 32,
  largeWaitingPerClient: 2,
  mediumSizeMax: 8,
  /** megabytes of objects that one worker thread may hold */
  threadHeapMb: 288,
  /** milliseconds for which the size of a transaction is remembered that was too large for the time that was left */
  tooLargeMs: 60_000,
  /** milliseconds after the deadline for deciding what was gathered until then */
  decidingMs: 1_000,
  /** connections that may wait to be accepted; the operating system may allow fewer */
  backlogMax: 8_192,
  /** for each gathering of one client that may run at once, so many more may wait for a place */
  clientWaitingShare: 2,
  /** the share of all places that free calls may have where others pay */
  freeShare: 0.75,
  /** callers that may wait for explanations, including callers that share one run */
  callersMax: 2_048,
  /** failures that are remembered: transactions that are unknown, or not in a block yet */
  failuresMax: 10_000,
  /** bytes of remembered answers about tokens, about published source code, and about histories of accounts */
  tokenCacheBytes: 8 * 1024 * 1024,
  publishedCacheBytes: 8 * 1024 * 1024,
  historyCacheBytes: 16 * 1024 * 1024,
  /**
   * bytes of answers of endpoints and explorers that are held at once. Objects are about four times as large as their JSON, so this many
   * need 200 MB. A quarter is kept from answers that are not small; one that is almost alone may have more
   */
  bodiesBytesMax: 48 * 1024 * 1024,
  smallBodyBytes: 1024 * 1024,
  bodyAloneBytesMax: 64 * 1024 * 1024,
  /** bytes of one line that the filter command reads: a transaction with the largest of traces */
  lineBytesMax: 64 * 1024 * 1024,
  /** lines and bytes that a thread of the filter gets at once; a single line may be larger */
  blockLinesMax: 64,
  blockBytesMax: 65_536,
  /** threads of the filter */
  threadsMax: 256,
  /** pages that are read of one list of an explorer */
  explorerPagesMax: 10,
  /** open connections, unless a setting says otherwise */
  connectionsMax: 4_000,
  /** requests that one connection may send before the first is answered */
  pipelinedMax: 32,
  /** bytes of all header fields of a request */
  headerBytesMax: 16_384,
  /** characters of a payment in a header; the largest in use have about 3,100 */
  paymentCharsMax: 12_288,
  /** characters of a payment's signature, wherever it comes in: we pay gas for each. A smart wallet's signature has about 1,500 */
  signatureCharsMax: 8_194,
  /** rate limit: an MCP message that asks for no explanation, such as tools/list, counts as so much of a request */
  messageWeight: 0.25,
  /** rate limit: a line of a batch that is told again, or for which a call was held in vain, counts as so much of a request */
  lineWeight: 0.25,
  /** bytes of static files that one client gets each minute; the API reference has 600 KB */
  staticBytesPerMinute: 16 * 1024 * 1024,
  /** rate limit: all clients together make so many times the mistakes of one */
  mistakesTimes: 50,
  /** rate limit: clients that are remembered */
  ratedClientsMax: 100_000,
} as const;
