/** All limits of the product. An answer that reaches one says so (`partial`). */
export const limits = {
  /** bytes of a request body */
  bodyBytesMax: 4096,
  /** bytes of an MCP message; a payment inside of it is about 3,100 */
  messageBytesMax: 65_536,
  /** nesting of objects and arrays in it */
  messageDepthMax: 128,
  /** open streams of MCP subscriptions */
  subscriptionsMax: 64,
  /** nesting of calls inside calls that is followed */
  callDepthMax: 16,
  /** unwrapped calls of one transaction */
  unwrappedCallsMax: 512,
  /** call frames of one trace */
  framesMax: 20_000,
  /** logs of one transaction that are examined */
  logsMax: 5_000,
  /** EIP-7702 authorizations of one transaction whose signers are worked out: about a millisecond each */
  authorizationsMax: 64,
  /** elements of one decoded array */
  arrayItemsMax: 4_096,
  /** entries of assets_moved */
  assetsMax: 200,
  /** entries of counterparties */
  counterpartiesMax: 25,
  /** characters of a summary */
  summaryCharsMax: 480,
  /** characters of a summary template */
  templateCharsMax: 280,
  /** operators nested in one condition */
  conditionDepthMax: 12,
  /** characters of a token symbol or name as it is shown */
  symbolCharsMax: 32,
  nameCharsMax: 128,
  /** tokens whose metadata is read for one transaction */
  tokensMax: 256,
  /** on-chain reads for proofs of membership in one transaction */
  readsMax: 256,
  /** pages of a paged explorer list */
  explorerPagesMax: 10,
  /** bytes of all header fields of a request */
  headerBytesMax: 16_384,
  /** characters of a payment in a header; the largest in use are about 3,100 */
  paymentCharsMax: 12_288,
  /** clients whose rate is remembered */
  ratedClientsMax: 100_000,
} as const;
