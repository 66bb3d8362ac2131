/** What the Lambda runtime does, as far as a handler sees it: it loads the bundle and gives it one event after the other. */
interface Invocation {
  id: number;
  event: unknown;
  timeoutMs: number;
}

type Handler = (event: unknown, context: object) => Promise<unknown>;

const { handler } = (await import(process.argv[2] ?? '')) as { handler: Handler };

process.on('message', async ({ id, event, timeoutMs }: Invocation) => {
  const deadline = Date.now() + timeoutMs;
  const context = { awsRequestId: String(id), getRemainingTimeInMillis: () => deadline - Date.now() };
  try {
    process.send?.({ id, answer: await handler(event, context) });
  } catch (error) {
    process.send?.({ id, error: String(error) });
  }
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
