import type { SQSEvent } from 'aws-lambda';
import { accessFromKubeconfig } from '../../lib/kubernetes/access/embedded-kubeconfig.ts';
import { Connection } from '../../lib/kubernetes/connection.ts';
import { RestCluster } from '../../lib/kubernetes/rest-cluster.ts';
import { messageIn, readEnvelope } from '../../lib/queue/envelope.ts';
import { createHandler, type Handler } from '../../lib/reconcile/serve.ts';
import { functionKubeconfig } from '../../tools/control-plane/manifests.ts';
import { maxReceives } from '../support/array-queue.ts';
import { ClusterClient } from '../support/cluster-client.ts';
import { type InProcess, runInProcess } from '../support/in-process.ts';
import { stepsWith } from '../support/steps.ts';
import { nothingFailed, Play, type Scenario } from './role-play.ts';

/**
 * One forwarder for many plays at once, each of which has handlers of its own: so one and the same function can be
 * known to the cluster by another service account in each of them.
 */
export class Stage {
  private readonly kubeconfigPath: string;
  private readonly clusters = new Map<string, Promise<RestCluster>>();
  private readonly connections: Connection[] = [];
  private readonly plays: Play[] = [];
  private running: InProcess | undefined;

  constructor(kubeconfigPath: string) {
    this.kubeconfigPath = kubeconfigPath;
  }

  async start(): Promise<void> {
    this.running = await runInProcess(this.kubeconfigPath, { handlers: this.handlersFor(() => true) });
  }

  async stop(): Promise<void> {
    for (const play of this.plays) play.end();
    await this.running?.stop();
    for (const connection of this.connections) connection.close();
  }

  /** What the forwarder has told. */
  get log(): string[] {
    return this.running?.log ?? [];
  }

  /** Makes what a scenario begins with. Its functions have their own accounts, but for those that are given. */
  async set(scenario: Scenario, accounts: Record<string, string> = {}, fatal?: string): Promise<Play> {
    const scene = await scenario.set(new ClusterClient(this.kubeconfigPath));
    const play = new Play(this.kubeconfigPath, scene, () => this.resync(play), fatal);
    for (const step of stepsWith(scene.provisioner)) {
      const cluster = await this.clusterFor(accounts[step.name] ?? step.name);
      const surroundings = {
        forgetCredentials: () => {},
        postpone: async () => {},
        maxReceives: scene.maxReceives ?? maxReceives,
        now: () => new Date(Date.now() + (scene.aheadMs ?? 0)),
      };
      const handler = createHandler(step, { ...surroundings, cluster: async () => cluster, log: play.log });
      play.handlers[step.name] = handler;
    }
    this.plays.push(play);
    return play;
  }

  private handlersFor(isMeant: (play: Play) => boolean): Record<string, Handler> {
    const handle = (name: string) => async (event: SQSEvent) => {
      const { key } = messageIn(readEnvelope(event.Records[0]?.body ?? ''));
      const play = this.plays.find(({ scene }) => scene.isAbout(key));
      return play && isMeant(play) ? play.handle(name, event) : nothingFailed;
    };
    return Object.fromEntries(stepsWith().map(({ name }) => [name, handle(name)]));
  }

  /** A new forwarder lists everything; only this play hears of it. */
  private async resync(play: Play): Promise<void> {
    const handlers = this.handlersFor((each) => each === play);
    const lister = await runInProcess(this.kubeconfigPath, { handlers });
    await lister.listed();
    await lister.stop();
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
