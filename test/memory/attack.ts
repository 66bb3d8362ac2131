import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleFunctions } from '../../deployment/bundle/bundle.ts';
import { buildMessage } from '../../lib/queue/message.ts';
import { drivers, fixtures, identity, type Target, targets } from '../fuzz/fixtures.ts';
import { StandInAws } from '../fuzz/stand-in-aws.ts';
import { patient } from '../support/patience.ts';
import { GoodApi } from './good-api.ts';
import { HostileApi } from './hostile-api.ts';
import type { HostileInput } from './hostile-inputs.ts';
import { LambdaProcess } from './lambda-process.ts';

/** As serverless.yml has it, which a test compares. */
export const megabytes = 512;
export const forwarderMegabytes = 256;
export const megabytesOf = (functionName: string): number =>
  functionName === 'forward' ? forwarderMegabytes : megabytes;
export const stepTimeoutMs = patient(30_000);
const hostileMessages = 9;
/** With less time a function that is invoked would not begin anything: see the handlers. */
const invocations: Record<string, { event: unknown; timeoutMs: number }> = {
  forward: { event: {}, timeoutMs: patient(16_000) },
  resync: { event: {}, timeoutMs: patient(27_000) },
  'sweep-buckets': { event: {}, timeoutMs: patient(60_000) },
};

export const attacked: readonly string[] = [...Object.keys(targets), ...Object.keys(invocations)];

export interface Outcome {
  function: string;
  input: string;
  wasKilled: boolean;
  /** Whether what the good cluster had to be done was done. */
  wasServed: boolean;
  peakBytes: number;
  milliseconds: number;
  log: string;
}

/** A good cluster and a hostile one, AWS, and the bundles of all functions. */
export class Attack {
  readonly good = new GoodApi(fixtures);
  readonly hostile = new HostileApi();
  readonly aws = new StandInAws();
  private folder = '';
  private bundles: Record<string, string> = {};

  async start(): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'longshore-memory-'));
    for (const part of [this.good, this.hostile, this.aws]) await part.start();
    await writeFile(this.kubeconfigOf('good'), this.good.kubeconfig());
    await writeFile(this.kubeconfigOf('hostile'), this.hostile.kubeconfig());
    this.bundles = Object.fromEntries((await bundleFunctions()).map(({ name, path }) => [name, path]));
  }

  async stop(): Promise<void> {
    for (const part of [this.good, this.hostile, this.aws]) part.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** One batch in which all messages but the last are of the hostile cluster; or one invocation for both clusters. */
  async run(functionName: string, input: HostileInput): Promise<Outcome> {
    this.good.begin();
    this.aws.called.length = 0;
    this.hostile.input = input;
    const lambda = await this.lambda(functionName);
    const begun = performance.now();
    try {
      const target = targets[functionName];
      const { event, timeoutMs } = target
        ? { event: batchFor(functionName, target), timeoutMs: stepTimeoutMs }
        : (invocations[functionName] ?? { event: {}, timeoutMs: stepTimeoutMs });
      const peaks = this.peaks(lambda);
      const invoked = await lambda.invoke(event, timeoutMs);
      const milliseconds = performance.now() - begun;
      const peakBytes = await peaks.stop();
      const { wasKilled } = lambda;
      const log = `${lambda.log}${invoked?.error ?? ''}`;
      const wasServed = target ? isServed(invoked?.answer) : !wasKilled && this.wasGoodDone(functionName);
      return { function: functionName, input: input.name, wasKilled, wasServed, peakBytes, milliseconds, log };
    } finally {
      await lambda.stop();
    }
  }

  /** Of the good cluster what is unfinished was told again; and any other function has come as far as to read it. */
  private wasGoodDone(functionName: string): boolean {
    if (functionName !== 'resync') return this.good.asked.length > 0;
    return this.aws.called.some(({ action }) => action === 'SendMessageBatch');
  }

  /** A process that is killed leaves nothing behind from which to read it. */
  private peaks(lambda: LambdaProcess): { stop: () => Promise<number> } {
    let peak = 0;
    const look = async () => {
      peak = Math.max(peak, await lambda.peakBytes().catch(() => 0));
    };
    const timer = setInterval(look, 20);
    return {
      stop: async () => {
        clearInterval(timer);
        await look();
        return peak;
      },
    };
  }

  /** A function that knows these clusters, by the files of their kubeconfigs; the two stand-ins unless others are given. */
  lambda(functionName: string, kubeconfigs = this.kubeconfigs): Promise<LambdaProcess> {
    const path = this.bundles[functionName];
    if (path === undefined) throw new Error(`there is no function ${functionName}`);
    return LambdaProcess.start({
      path,
      megabytes: megabytesOf(functionName),
      environment: this.environmentOf(functionName, kubeconfigs),
    });
  }

  /** Keeps a kubeconfig, and answers its file. */
  async kubeconfig(name: string, text: string): Promise<string> {
    await writeFile(this.kubeconfigOf(name), text);
    return this.kubeconfigOf(name);
  }

  private get kubeconfigs(): Record<string, string> {
    return { hostile: this.kubeconfigOf('hostile'), good: this.kubeconfigOf('good') };
  }

  private environmentOf(functionName: string, kubeconfigs: Record<string, string>): Record<string, string> {
    const { address } = this.aws;
    const queues = Object.keys(targets).map((name) => [name, `${address}/${name}/111122223333/queue.fifo`]);
    const clusters = Object.entries(kubeconfigs).map(([name, path]) => {
      return { name, access: { type: 'kubeconfig', from: `file:${path}` } };
    });
    return {
      LONGSHORE_FUNCTION: functionName,
      LONGSHORE_CLUSTERS: JSON.stringify(clusters),
      LONGSHORE_QUEUES: JSON.stringify(Object.fromEntries(queues)),
      LONGSHORE_DRIVERS: JSON.stringify(drivers),
      LONGSHORE_IDENTITY: identity,
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

const good = 'message-of-good';

function batchFor(functionName: string, target: Target): object {
  const hostile = [...Array(hostileMessages).keys()].map((at) => ({
    ...target,
    messageId: `message-${at}`,
    cluster: 'hostile',
  }));
  return batchOf(functionName, [...hostile, { ...target, messageId: good, cluster: 'good' }]);
}

/** A batch of messages, each in a group of its own. */
export function batchOf(
  functionName: string,
  messages: readonly (Target & { messageId: string; cluster: string })[],
): object {
  const Records = messages.map(({ messageId, cluster, resource, ...key }) => {
    const cause = { uid: 'u', resourceVersion: '1', type: 'add' as const };
    const { body } = buildMessage({ cluster, function: functionName, resource, key, cause, time: new Date() });
    const attributes = { MessageGroupId: messageId, ApproximateReceiveCount: '1' };
    return { messageId, receiptHandle: messageId, body, attributes };
  });
  return { Records };
}

function isServed(answer: unknown): boolean {
  const { batchItemFailures = [{ itemIdentifier: good }] } = (answer ?? {}) as {
    batchItemFailures?: { itemIdentifier: string }[];
  };
  return batchItemFailures.every(({ itemIdentifier }) => itemIdentifier !== good);
}
