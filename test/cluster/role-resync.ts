import { createRouter, watchedResources } from '../../lib/capabilities/all-capabilities.ts';
import { accessFromKubeconfig } from '../../lib/kubernetes/access/embedded-kubeconfig.ts';
import { Connection } from '../../lib/kubernetes/connection.ts';
import type { LeftOut } from '../../lib/recovery/resync/find.ts';
import { resync } from '../../lib/recovery/resync/resync.ts';
import { realClock } from '../../lib/runtime/clock.ts';
import { functionKubeconfig } from '../../tools/control-plane/manifests.ts';

/** What a resync under this account leaves out. */
export async function leftOutByResync(kubeconfigPath: string, account: string): Promise<LeftOut[]> {
  const connection = new Connection(accessFromKubeconfig(await functionKubeconfig(kubeconfigPath, account)));
  const report = await resync({
    cluster: 'test',
    api: connection,
    routing: { resources: watchedResources, createRouter },
    send: async () => [],
    clock: realClock,
    log: { error: () => {} },
    signal: new AbortController().signal,
    isDryRun: true,
  });
  connection.close();
  return report.leftOut;
}
