import type { SQSEvent } from 'aws-lambda';
import { accessFromKubeconfig } from '../../lib/cluster/access/kubeconfig.ts';
import { Connection } from '../../lib/cluster/connection.ts';
import { RestCluster } from '../../lib/cluster/rest-cluster.ts';
import { parseMessage } from '../../lib/queue/message.ts';
import { createHandler, type Handler } from '../../lib/reconcile/serve.ts';
import { functionKubeconfig } from '../../tools/control-plane/manifests.ts';
import { maxReceives } from '../support/array-queue.ts';
import { ClusterClient, makeTransfer } from '../support/cluster-client.ts';
import { type InProcess, runInProcess } from '../support/in-process.ts';
import { steps } from '../support/steps.ts';
import { nothingFailed, Play, type Scenario } from './role-play.ts';

/**
 * One forwarder for many transfers at once, each of which has handlers of its own: so one and the same function can be
 * known to the cluster by another service account in each of them.
 */
export class Stage {
  private readonly kubeconfigPath: string;
  private readonly clusters = new Map<string, Promise<RestCluster>>();
  private readonly connections: Connection[] = [];
  /** By the namespaces and the volume that a transfer has to itself. */
  private readonly plays = new Map<string, Play>();
  private running: InProcess | undefined;

  constructor(kubeconfigPath: string) {
    this.kubeconfigPath = kubeconfigPath;
  }

  async start(): Promise<void> {
    this.running = await runInProcess(this.kubeconfigPath, { handlers: this.handlersFor(() => true) });
  }

  async stop(): Promise<void> {
    for (const play of this.plays.values()) play.end();
    await this.running?.stop();
    for (const connection of this.connections) connection.close();
  }

  /** What the forwarder has told. */
  get log(): string[] {
    return this.running?.log ?? [];
  }

  /** Makes what a transfer begins with. Its functions have their own accounts, but for those that are given. */
  async set({ shape }: Scenario, accounts: Record<string, string> = {}, fatal?: string): Promise<Play> {
    const transfer = await makeTransfer(new ClusterClient(this.kubeconfigPath), undefined, shape);
    const play = new Play(this.kubeconfigPath, transfer, () => this.resync(play), fatal);
    for (const step of steps) {
      const cluster = await this.clusterFor(accounts[step.name] ?? step.name);
      const surroundings = {
        forgetCredentials: () => {},
        postpone: async () => {},
        maxReceives,
        now: () => new Date(),
      };
      const handler = createHandler(step, { ...surroundings, cluster: async () => cluster, log: play.log });
      play.handlers[step.name] = handler;
    }
    const { source, target, volume } = transfer;
    for (const name of [source.metadata.namespace, target.metadata.namespace, volume.metadata.name]) {
      this.plays.set(name ?? '', play);
    }
    return play;
  }

  private handlersFor(isMeant: (play: Play) => boolean): Record<string, Handler> {
    const handle = (name: string) => async (event: SQSEvent) => {
      const { key } = parseMessage(event.Records[0]?.body ?? '');
      const play = this.plays.get(key.namespace ?? key.name);
      return play && isMeant(play) ? play.handle(name, event) : nothingFailed;
    };
    return Object.fromEntries(steps.map(({ name }) => [name, handle(name)]));
  }

  /** A new forwarder lists everything; only this transfer hears of it. */
  private async resync(play: Play): Promise<void> {
    const handlers = this.handlersFor((each) => each === play);
    await (await runInProcess(this.kubeconfigPath, { handlers })).stop();
  }

  private clusterFor(account: string): Promise<RestCluster> {
    const cluster = this.clusters.get(account) ?? this.connect(account);
    this.clusters.set(account, cluster);
    return cluster;
  }

  private async connect(account: string): Promise<RestCluster> {
    const connection = new Connection(accessFromKubeconfig(await functionKubeconfig(this.kubeconfigPath, account)));
    this.connections.push(connection);
    return new RestCluster('test', connection);
  }
}
