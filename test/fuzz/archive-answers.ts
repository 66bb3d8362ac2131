import { gzipSync } from 'node:zlib';
import { targets } from './fixtures.ts';
import { fieldsOf, write } from './hostile-messages.ts';

/** The archive has one message, of three hours ago. */
const sentAt = new Date(Date.now() - 3 * 60 * 60_000).toISOString();
const day = sentAt.slice(0, 10);
const key = `cluster=main/date=${day}/hour=${sentAt.slice(11, 13)}/${sentAt.replaceAll(/[-:.]/g, '')}-000000000000-000000.ndjson.gz`;

const target = targets['match-claim'];
export const archivedBody = target ? write(fieldsOf(target)) : '';
const line = { sentAt, function: 'match-claim', groupId: 'group', deduplicationId: 'message', body: archivedBody };
const segment = gzipSync(`${JSON.stringify(line)}\n`);

const contents = `<Contents><Key>${key}</Key><Size>${segment.length}</Size></Contents>`;
const prefixes = '<CommonPrefixes><Prefix>cluster=main/</Prefix></CommonPrefixes>';

/** What S3 says to whoever lists, or gets an object; undefined where there is none of that name. */
export function listed(action: string): string {
  const found = action.includes('delimiter=') ? prefixes : contents;
  return `<ListBucketResult>${found}<IsTruncated>false</IsTruncated></ListBucketResult>`;
}

export function archived(action: string): Buffer | undefined {
  return action.includes(encodeURI(key).replaceAll('=', '%3D')) || action.includes(key) ? segment : undefined;
}
