import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drivers, fixtures, identity, targets } from './fixtures.ts';
import { StandInApi } from './stand-in-api.ts';
import { StandInAws } from './stand-in-aws.ts';

/** Whose API server says whatever it likes. */
export const rogue = 'rogue';
/** The clusters that the handlers are configured with. All have the same objects. */
export const clusterNames = ['main', 'edge', rogue] as const;
export type ClusterName = (typeof clusterNames)[number];

export const queuePath = '/111122223333/queue.fifo';
export const deadLettersPath = '/111122223333/dead-letters.fifo';
export const archive = 'archive';
export const maxReceives = 8;

export const account = '111122223333';
export const permissions = {
  requests: [
    { source: 'team.billing', account, clusters: ['main'], namespaces: ['team-*'], classes: ['fast', 'slow-*'] },
  ],
  adoptions: [{ account, buckets: ['data-*'], cluster: 'main', namespace: 'team-a', bucketClass: 'existing' }],
};
export const driverRole = 'arn:aws:iam::111122223333:role/provision-bucket';

/** Stand-ins for all that a handler talks to, and the environment that leads it there and nowhere else. */
export class Surroundings {
  readonly clusters = {
    main: new StandInApi(fixtures),
    edge: new StandInApi(fixtures),
    rogue: new StandInApi(fixtures),
  };
  readonly aws = new StandInAws();
  private folder = '';

  async start(): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'longshore-fuzz-'));
    await this.aws.start();
    for (const name of clusterNames) {
      await this.clusters[name].start();
      await writeFile(this.kubeconfigOf(name), this.clusters[name].kubeconfig());
    }
  }

  async stop(): Promise<void> {
    for (const name of clusterNames) this.clusters[name].stop();
    this.aws.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  begin(): void {
    for (const name of clusterNames) this.clusters[name].begin();
    this.aws.called.length = 0;
  }

  environmentOf(functionName: string): Record<string, string> {
    const { address } = this.aws;
    const queue = `${address}${queuePath}`;
    const queues = Object.keys(targets).map((name) => [name, `${address}/${name}${queuePath}`]);
    const clusters = clusterNames.map((name) => {
      return { name, access: { type: 'kubeconfig', from: `file:${this.kubeconfigOf(name)}` } };
    });
    return {
      LONGSHORE_FUNCTION: functionName,
      LONGSHORE_CLUSTERS: JSON.stringify(clusters),
      LONGSHORE_QUEUES: JSON.stringify(Object.fromEntries(queues)),
      LONGSHORE_QUEUE_URL: queue,
      LONGSHORE_MAX_RECEIVES: String(maxReceives),
      LONGSHORE_DRIVERS: JSON.stringify(drivers),
      LONGSHORE_IDENTITY: identity,
      LONGSHORE_BUCKET_REQUESTS: JSON.stringify(permissions),
      LONGSHORE_DEAD_LETTERS_URL: `${address}${deadLettersPath}`,
      LONGSHORE_DRIVER_ROLE: driverRole,
      LONGSHORE_ARCHIVE: archive,
      AWS_ENDPOINT_URL: address,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'none',
      AWS_SECRET_ACCESS_KEY: 'none',
    };
  }

  private kubeconfigOf(name: string): string {
    return join(this.folder, `${name}.json`);
  }
}
