export default async function tearDown(): Promise<void> {
  const { lending, started = [], webhooks = [] } = globalThis.longshoreTestControlPlanes ?? {};
  lending?.stop();
  for (const starting of started) {
    // One that did not start has told so to those that waited for it.
    const controlPlane = await starting.catch(() => undefined);
    await controlPlane?.stop();
  }
  for (const applying of webhooks) await (await applying.catch(() => undefined))?.stop();
}
