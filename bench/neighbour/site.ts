import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { collectionPath, resources } from '../../lib/kubernetes/resources.ts';
import type { LocalStack } from '../../tools/local/local-stack.ts';
import { transferRequest } from '../../tools/local/transfer-objects.ts';
import { clientSettings } from '../../tools/local-aws/local-aws.ts';
import { ApiRequests } from '../forward/api-requests.ts';

const connections = 48;
const lookEveryMs = 20;
const giveUpAfterMs = 300_000;

export interface Site {
  requests: ApiRequests;
  /** The time until a request in a quiet namespace reports what it waits for. */
  askOnce: () => Promise<number>;
  /** The number of messages that wait on the queue of the function for requests. */
  depth: () => Promise<number>;
  makeNamespace: () => Promise<string>;
  pause: (milliseconds: number) => Promise<unknown>;
  close: () => void;
}

export function siteOf({ controlPlane, localAws, stack }: LocalStack): Site {
  const config = JSON.parse(readFileSync(controlPlane.kubeconfigPath, 'utf8'));
  const [{ cluster }] = config.clusters;
  const server = {
    address: cluster.server as string,
    certificateAuthority: Buffer.from(cluster['certificate-authority-data'], 'base64').toString('utf8'),
    token: config.users[0].user.token as string,
  };
  const [many, own] = [new ApiRequests(server, connections), new ApiRequests(server, 4)];
  const makeNamespace = async () => {
    const name = `neighbour-${randomBytes(4).toString('hex')}`;
    await own.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    return name;
  };
  const quiet = makeNamespace();
  const askOnce = async () => timeOf(own, await quiet);
  const sqs = new SQSClient(clientSettings(localAws));
  const QueueUrl = stack.queues['match-transfer']?.url;
  const depth = async () => {
    const question = { QueueUrl, AttributeNames: ['ApproximateNumberOfMessages' as const] };
    return Number((await sqs.send(new GetQueueAttributesCommand(question))).Attributes?.ApproximateNumberOfMessages);
  };
  const close = () => {
    sqs.destroy();
    many.close();
    own.close();
  };
  return { requests: many, askOnce, depth, makeNamespace, pause, close };
}

export function requestIn(namespace: string, name: string) {
  const [source, target] = [
    { namespace: 'default', name: 'nothing' },
    { namespace, name },
  ];
  return transferRequest({ name, source, target });
}

export function pathOf(namespace: string, name?: string): string {
  const path = collectionPath(resources.transferRequest, namespace);
  return name === undefined ? path : `${path}/${name}`;
}

async function timeOf(requests: ApiRequests, namespace: string): Promise<number> {
  const name = `request-${randomBytes(4).toString('hex')}`;
  const { at } = await requests.create(pathOf(namespace), requestIn(namespace, name));
  for (;;) {
    const found = await requests.get(pathOf(namespace, name)).catch(() => undefined);
    if (!found) continue;
    if (JSON.parse(found.text).status?.conditions) {
      await requests.delete(pathOf(namespace, name));
      return found.at - at;
    }
    if (found.at - at > giveUpAfterMs) throw new Error(`${namespace}/${name} was not told in ${giveUpAfterMs} ms`);
    await pause(lookEveryMs);
  }
}
