import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { accessFromKubeconfig } from '../../lib/kubernetes/access/embedded-kubeconfig.ts';
import { Connection } from '../../lib/kubernetes/connection.ts';
import type { Claim, Volume } from '../../lib/kubernetes/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { RestCluster } from '../../lib/kubernetes/rest-cluster.ts';
import type { Snapshot } from '../../tools/csi-stand-in/kinds.ts';
import * as made from '../../tools/csi-stand-in/objects.ts';
import type { DriverOptions } from '../../tools/csi-stand-in/rules/rule.ts';
import { type CsiStandIn, startCsiStandIn } from '../../tools/csi-stand-in/stand-in.ts';
import { ClusterClient } from '../support/cluster-client.ts';
import { type InProcess, runInProcess } from '../support/in-process.ts';
import type { PreparedControlPlane } from '../support/prepared-control-plane.ts';
import { startOwn } from './case-control-plane.ts';
import { serveGrants } from './case-grants.ts';
import { untilBound } from './case-waits.ts';

/** The driver that every file has, with a storage class and a class of snapshots of the same name. */
export const driver = 'csi.test';

interface Options {
  drivers?: readonly Omit<DriverOptions, 'looksUpNodes'>[];
  featureGates?: Record<string, boolean>;
  looksUpNodes?: boolean;
}

interface Parts {
  client: ClusterClient;
  standIn: CsiStandIn;
  /** The cluster as an administrator's program sees it, which can list. */
  admin: RestCluster;
  kubeconfig: string;
}

/** A control plane with a driver of real directories, and Longshore in this process, for the tests of one file. */
export function runSnapshots({ drivers = [{ name: driver }], featureGates, looksUpNodes = false }: Options = {}) {
  let own: PreparedControlPlane | undefined;
  let connection: Connection | undefined;
  let started: Parts | undefined;
  let running: InProcess | undefined;
  let ahead = 0;
  const log: string[] = [];
  const parts = () => {
    if (!started) throw new Error('the parts have not started');
    return started;
  };
  const start = async () => {
    running = await runInProcess(parts().kubeconfig, { now: () => new Date(Date.now() + ahead) });
  };
  const stop = async () => {
    await running?.stop();
    log.push(...(running?.log ?? []));
    running = undefined;
  };
  beforeAll(async () => {
    own = await startOwn({
      with: 'snapshots',
      controllerQueriesPerSecond: 200,
      ...(featureGates ? { featureGates } : {}),
    });
    const kubeconfig = own.plane.kubeconfigPath;
    const client = new ClusterClient(kubeconfig);
    connection = new Connection(accessFromKubeconfig(await readFile(kubeconfig, 'utf8')));
    const options = { drivers: drivers.map((each) => ({ ...each, looksUpNodes })), retryMs: 100 };
    const standIn = await startCsiStandIn(kubeconfig, options);
    started = { client, standIn, admin: new RestCluster('test', connection), kubeconfig };
    await serveGrants(client, 'v1');
    await makeClasses(client, drivers);
    await start();
  });
  afterEach(() => {
    ahead = 0;
    for (const { name } of drivers) {
      for (const state of ['failing', 'hanging', 'uploading'] as const) started?.standIn[state](name, false);
    }
  });
  afterAll(async () => {
    await stop();
    await started?.standIn.stop();
    connection?.close();
    await own?.stop();
  });
  const away = async (act: () => Promise<unknown>) => {
    await stop();
    await act();
    await start();
  };
  return {
    parts,
    log: () => [...log, ...(running?.log ?? [])],
    /** What happens while Longshore is not there. */
    away,
    /** A new forwarder lists everything, as one does each minute. */
    resync: () => away(async () => {}),
    /** Lets the handlers see a later time until the test is over. */
    passTime: (milliseconds: number) => {
      ahead += milliseconds;
    },
  };
}

/** Of a cluster with a driver, what it takes to make claims and snapshots of it. */
export interface WithDriver {
  parts(): Pick<Parts, 'client' | 'standIn'>;
}

export type SnapshotCluster = ReturnType<typeof runSnapshots>;

/** A storage class and a class of snapshots for each driver, with its name. */
export async function makeClasses(client: ClusterClient, drivers: readonly { name: string }[]): Promise<void> {
  for (const { name } of drivers) {
    await client.create(made.provisionedClass({ name, driver: name }));
    await client.create(made.snapshotClass({ name, driver: name }));
  }
}

export function untilReady(client: ClusterClient, snapshot: Snapshot): Promise<Snapshot> {
  return client.until<Snapshot>(snapshot, ({ status }) => status?.readyToUse === true);
}

export async function volumeOf(client: ClusterClient, claim: Claim): Promise<Volume> {
  const { spec } = await untilBound(client, claim);
  return client.until<Volume>(volumeNamed(spec.volumeName ?? ''));
}

export function volumeNamed(name: string): Volume {
  const { apiVersion, kind } = resources.volume;
  return { apiVersion, kind, metadata: { name } } as Volume;
}
