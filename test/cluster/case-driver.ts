import { afterAll, beforeAll } from '@jest/globals';
import { type CsiStandIn, startCsiStandIn } from '../../tools/csi-stand-in/stand-in.ts';
import type { ClusterClient } from '../support/cluster-client.ts';
import { serveGrants } from './case-grants.ts';
import { driver, makeClasses, type WithDriver } from './case-snapshots.ts';

/** A driver of real directories with its classes, and grants, in a control plane that has the kinds of snapshots. */
export function runDriver(own: { kubeconfig: () => string; client: () => ClusterClient }): WithDriver {
  let standIn: CsiStandIn | undefined;
  beforeAll(async () => {
    const client = own.client();
    standIn = await startCsiStandIn(own.kubeconfig(), { drivers: [{ name: driver }], retryMs: 100 });
    await serveGrants(client, 'v1');
    await makeClasses(client, [{ name: driver }]);
  });
  afterAll(() => standIn?.stop());
  return {
    parts: () => {
      if (!standIn) throw new Error('the driver has not started');
      return { client: own.client(), standIn };
    },
  };
}
