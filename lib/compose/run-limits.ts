/** How many messages of one function and one cluster are worked on at a time. */
export const messagesAtATime = 8;
/** The same as a function has: `step-timeout-seconds` in serverless.yml. */
export const timeLimitMs = 30_000;
