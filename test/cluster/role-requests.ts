import { randomBytes } from 'node:crypto';
import type { SQSEvent } from 'aws-lambda';
import type { BucketRequests } from '../../lib/capabilities/buckets/requests/permissions.ts';
import { createRequestHandler } from '../../lib/capabilities/buckets/steps/request-bucket/requests.ts';
import { accessFromKubeconfig } from '../../lib/kubernetes/access/embedded-kubeconfig.ts';
import { Connection } from '../../lib/kubernetes/connection.ts';
import { RestCluster } from '../../lib/kubernetes/rest-cluster.ts';
import { functionKubeconfig } from '../../tools/control-plane/manifests.ts';
import { ClusterClient } from '../support/cluster-client.ts';
import { planBucket } from './case-buckets.ts';

const source = 'team.one';
const cluster = 'test';

/** What fails when a Bucket is asked for, another one is adopted, and the first is deleted, under this account. */
export async function failuresOfRequests(kubeconfigPath: string, account: string): Promise<string[]> {
  const client = new ClusterClient(kubeconfigPath);
  const { namespace, bucketClass } = planBucket({ provisioner: 'nobody.example.com' });
  await client.createNamespace(namespace);
  await client.create(bucketClass);
  const connection = new Connection(accessFromKubeconfig(await functionKubeconfig(kubeconfigPath, account)));
  const ofAccount = new RestCluster(cluster, connection);
  const failures: string[] = [];
  const handle = createRequestHandler(settingsFor(namespace, bucketClass.metadata.name), {
    cluster: async () => ofAccount,
    forgetCredentials: () => {},
    postpone: async () => {},
    bury: async ({ reason }) => void failures.push(reason),
    maxReceives: 8,
    log: { info: () => {}, error: (_, fields) => void failures.push(String(fields?.error)), measure: () => {} },
    now: () => new Date(),
  });
  const request = { cluster, namespace, name: 'reports', bucketClassName: bucketClass.metadata.name };
  const { bucketClassName: _, ...place } = request;
  await handle(eventFrom(source, 'Longshore Bucket Request', { action: 'create', ...request }));
  const requestParameters = { bucketName: `data-${randomBytes(4).toString('hex')}` };
  const call = { eventSource: 's3.amazonaws.com', eventName: 'CreateBucket', requestParameters };
  await handle(eventFrom('aws.s3', 'AWS API Call via CloudTrail', call));
  await handle(eventFrom(source, 'Longshore Bucket Request', { action: 'delete', ...place }));
  connection.close();
  return failures;
}

function settingsFor(namespace: string, bucketClass: string): BucketRequests {
  return {
    permissions: {
      requests: [{ source, clusters: [cluster], namespaces: [namespace], classes: [bucketClass] }],
      adoptions: [{ buckets: ['data-*'], cluster, namespace, bucketClass }],
    },
    deadLettersUrl: '',
    driverRole: undefined,
  };
}

function eventFrom(sender: string, type: string, detail: object): SQSEvent {
  const time = new Date().toISOString();
  const event = { id: `${type}-${sender}`, time, source: sender, account: '111122223333', 'detail-type': type, detail };
  const record = { messageId: '1', body: JSON.stringify(event), attributes: { ApproximateReceiveCount: '1' } };
  return { Records: [record] } as unknown as SQSEvent;
}
