import { fileURLToPath } from 'node:url';
import { forwardedFunctions } from '../../lib/capabilities/all-capabilities.ts';
import { freePort } from '../../tools/processes/free-port.ts';
import { type Arrival, readEvent, readMessage } from './arrival.ts';
import { bundled, ownFlags } from './bundled.ts';
import type { Ledger } from './ledger.ts';
import type { Arrived } from './queue/queue-stand-in.ts';

/** The settings of a forwarder: the addresses of the API server and of the queue. */
export interface Surroundings {
  kubeconfigPath: string;
  queueUrl: string;
}

export interface Program {
  args: string[];
  environment: Record<string, string>;
}

/** A program that forwards changes to a queue, and the reader of its messages. */
export interface Contender {
  name: string;
  title: string;
  /** A description, if the title is not sufficient. */
  about: string;
  program(surroundings: Surroundings): Promise<Program>;
  reader(ledger: Ledger): (arrived: Arrived) => Arrival;
}

export const clusterName = 'main';
export const systemNamespace = 'longshore-system';

const claimQueue = 'match-claim.fifo';
/** The Lease with our checkpoint. Without it our forwarder starts from nothing, as the others do each time. */
export const leasePath = `/apis/coordination.k8s.io/v1/namespaces/${systemNamespace}/leases/forward.bench`;

export const ours: Contender = {
  name: 'longshore',
  title: 'longshore',
  about: 'longshore forward, as a process',
  program: async (surroundings) => {
    const main = await bundled(pathOf('../../cli/main.ts'));
    return {
      args: [...ownFlags(), main, 'forward', '--metrics', `127.0.0.1:${await freePort()}`],
      environment: { ...awsEnvironment(surroundings), ...ownEnvironment(surroundings) },
    };
  },
  reader: (ledger) => readMessage(ledger, clusterName),
};

export const oneAtATime: Contender = baseline(
  'one-at-a-time',
  'informer, one at a time',
  'informer of @kubernetes/client-node, one awaited SendMessage of @aws-sdk/client-sqs an event',
);

export const inBatches: Contender = baseline(
  'in-batches',
  'informer, in batches',
  'informer of @kubernetes/client-node, SendMessageBatch of @aws-sdk/client-sqs of up to 10, one in flight',
);

export const contenders: readonly Contender[] = [oneAtATime, inBatches, ours];

function baseline(name: string, title: string, about: string): Contender {
  return {
    name,
    title,
    about,
    program: async (surroundings) => ({
      args: [
        await bundled(pathOf(`./baselines/${name}.ts`)),
        surroundings.kubeconfigPath,
        addressOf(surroundings, claimQueue),
      ],
      environment: awsEnvironment(surroundings),
    }),
    reader: () => readEvent,
  };
}

/** Always the same identity: after a crash the holder of the lease is the same. */
function ownEnvironment(surroundings: Surroundings): Record<string, string> {
  const access = { type: 'kubeconfig', from: `file:${surroundings.kubeconfigPath}` };
  const queues = [...forwardedFunctions].map((name) => [name, addressOf(surroundings, `${name}.fifo`)]);
  return {
    LONGSHORE_FUNCTION: 'forward',
    LONGSHORE_IDENTITY: 'bench',
    LONGSHORE_CLUSTERS: JSON.stringify([{ name: clusterName, access }]),
    LONGSHORE_QUEUES: JSON.stringify(Object.fromEntries(queues)),
  };
}

function awsEnvironment({ queueUrl }: Surroundings): Record<string, string> {
  return {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
    AWS_ENDPOINT_URL_SQS: queueUrl,
  };
}

function addressOf({ queueUrl }: Surroundings, queue: string): string {
  return `${queueUrl}/000000000000/${queue}`;
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
