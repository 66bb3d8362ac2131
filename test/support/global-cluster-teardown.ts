export default async function tearDown(): Promise<void> {
  const { lendings = [], started = [] } = globalThis.longshoreTestControlPlanes ?? {};
  for (const lending of lendings) lending.stop();
  // The first has what all others began with.
  for (const starting of started.toReversed()) {
    // One that did not start has told so to those that waited for it.
    const prepared = await starting.catch(() => undefined);
    await prepared?.stop();
  }
}
