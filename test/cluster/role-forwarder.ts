import { ElectedForwarder } from '../../lib/forwarder/elected-forwarder.ts';
import { accessFromKubeconfig } from '../../lib/kubernetes/access/embedded-kubeconfig.ts';
import { Connection } from '../../lib/kubernetes/connection.ts';
import { realClock } from '../../lib/runtime/clock.ts';
import { functionKubeconfig } from '../../tools/control-plane/manifests.ts';
import { defaultWaitMs } from '../support/patience.ts';

/**
 * What a forwarder under this account fails with first; empty when it is still at work after a while. By then it has taken
 * a lease of its own, and renewed it several times.
 */
export async function failureOfForwarder(kubeconfigPath: string, account: string): Promise<string> {
  const connection = new Connection(accessFromKubeconfig(await functionKubeconfig(kubeconfigPath, account)));
  const failures: string[] = [];
  const abort = new AbortController();
  const fail = (failure: string) => {
    failures.push(failure);
    abort.abort();
  };
  const lead = new ElectedForwarder({
    cluster: 'test',
    identity: account,
    api: connection,
    send: async () => [],
    log: {
      // What it may do without is left out, and that is all that is said of it.
      info: (_, fields) => fields?.reason !== undefined && fail(String(fields.reason)),
      error: (_, fields) => fail(String(fields?.error)),
      measure: () => {},
    },
    clock: realClock,
  });
  // What cannot be had at all ends it; what may be had a little later is logged, and tried again.
  const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(defaultWaitMs)]);
  await lead.run({ signal }).catch((error) => fail(String(error)));
  connection.close();
  return failures[0] ?? '';
}
