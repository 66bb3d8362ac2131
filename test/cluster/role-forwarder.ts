import { accessFromKubeconfig } from '../../lib/cluster/access/kubeconfig.ts';
import { Connection } from '../../lib/cluster/connection.ts';
import { Forwarder } from '../../lib/forwarder/forwarder.ts';
import { Outbox } from '../../lib/queue/outbox.ts';
import { functionKubeconfig } from '../../tools/control-plane/manifests.ts';

const longestMs = 20_000;

/** What a forwarder under this account fails with first; empty when it is still at work after a while. */
export async function failureOfForwarder(kubeconfigPath: string, account: string): Promise<string> {
  const connection = new Connection(accessFromKubeconfig(await functionKubeconfig(kubeconfigPath, account)));
  const failures: string[] = [];
  const abort = new AbortController();
  const fail = (failure: string) => {
    failures.push(failure);
    abort.abort();
  };
  const running = new Forwarder({
    cluster: 'test',
    connection,
    outbox: new Outbox({ send: async () => [], pause: async () => {}, onFailure: (error) => fail(String(error)) }),
    log: {
      // What it may do without is left out, and that is all that is said of it.
      info: (_, fields) => fields?.reason !== undefined && fail(String(fields.reason)),
      error: (_, fields) => fail(String(fields?.error)),
      measure: () => {},
    },
    now: () => new Date(),
    pause: async () => {},
  }).run(AbortSignal.any([abort.signal, AbortSignal.timeout(longestMs)]));
  // What cannot be listed ends it; what cannot be watched is logged, and tried again.
  await running.catch((error) => fail(String(error)));
  connection.close();
  return failures[0] ?? '';
}
