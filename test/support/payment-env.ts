/** Environment variables with which calls are charged. The service does not contact this facilitator before something is paid. */
export const payTo = `0x${"ab".repeat(20)}`;
export const paymentEnv = {
  X402_PAY_TO: payTo,
  PASS_SECRET: "s".repeat(40),
  X402_FACILITATOR: "http",
  X402_FACILITATOR_URL: "https://facilitator.example",
} as const;
