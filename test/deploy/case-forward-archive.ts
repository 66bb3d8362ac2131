import { S3Client } from '@aws-sdk/client-s3';
import type { ArchivedMessage } from '../../lib/archive/archived-message.ts';
import { type ArchiveRange, readArchive, type SegmentSource, segmentsOf } from '../../lib/archive/read-archive.ts';
import { sourceInBucket } from '../../lib/archive/s3-source.ts';
import { parseSegmentName } from '../../lib/archive/segment-names.ts';
import { clusterName } from '../../tools/local/local-stack.ts';
import { stackResources } from '../../tools/local-aws/stack.ts';
import type { TestStack } from '../support/deployed-stack.ts';

export interface Sent extends ArchivedMessage {
  /** Each time that a run leads, it writes under another name. */
  writer: string;
}

/** All that has been sent since then, in the order in which it was. */
export function sentSince(deployed: TestStack, from: Date): Promise<Sent[]> {
  return withClient(deployed, async (client) => {
    const source = sourceInBucket(await archiveBucket(deployed), client);
    const range: ArchiveRange = { cluster: clusterName, from, to: new Date() };
    const sent: Sent[] = [];
    for await (const name of segmentsOf(source, range)) {
      const writer = parseSegmentName(name)?.writer ?? '';
      for await (const message of readArchive(only(name, source), range)) sent.push({ ...message, writer });
    }
    return sent.sort((one, other) => one.sentAt.getTime() - other.sentAt.getTime());
  });
}

async function withClient<T>({ settings }: TestStack, work: (client: S3Client) => Promise<T>): Promise<T> {
  const client = new S3Client({ ...settings, forcePathStyle: true });
  try {
    return await work(client);
  } finally {
    client.destroy();
  }
}

function only(name: string, { open }: SegmentSource): SegmentSource {
  return {
    async *list() {
      yield [name];
    },
    open,
  };
}

export async function archiveBucket({ settings, stack }: TestStack): Promise<string> {
  const resources = await stackResources(settings, stack.stackName);
  const found = resources.find(({ LogicalResourceId }) => LogicalResourceId === 'ArchiveBucket');
  if (!found?.PhysicalResourceId) throw new Error('there is no bucket for the archive');
  return found.PhysicalResourceId;
}
