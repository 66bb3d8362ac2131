import { describe, expect, test } from '@jest/globals';
import { decide as bind } from '../../../../../../lib/capabilities/buckets/steps/bind-bucket/decide.ts';
import { decide } from '../../../../../../lib/capabilities/buckets/steps/copy-secret/decide.ts';
import { type CopyingWorld, read } from '../../../../../../lib/capabilities/buckets/steps/copy-secret/read.ts';
import { clusterOf } from '../../../cluster-of.ts';
import * as stage from '../../bucket-stages.ts';
import { summaryOf, testTable } from '../../bucket-table.ts';

const { bucket, copied, deleting, now, ready, said } = stage;
const key = { namespace: 'prod', name: 'photos' };
const used = bucket({ status: { phase: 'Bound', conditions: [said('Bound', 'Bound', undefined, true), copied] } });

describe('credentials that are made again', () => {
  testTable<CopyingWorld>(decide, [
    {
      situation: 'are not there meanwhile',
      world: { bucket: used, isLost: true },
      write: 'patch bucket status',
      body: {
        status: { conditions: expect.arrayContaining([expect.objectContaining({ reason: 'CredentialsLost' })]) },
      },
      next: 'wait NoCredentials',
    },
    { situation: 'say so once', world: { bucket: bucket(), isLost: true }, answer: 'wait NoCredentials' },
  ]);

  test.each([
    ['are told from those that are not there yet', stage.content(), false],
    ['are seen by their content', ready({ status: { phase: 'Retrying' } }), true],
    ['are not lost by a content that goes', ready({ ...deleting, status: { phase: 'Retrying' } }), false],
  ])('%s', async (_, content, isLost) => {
    expect((await read(clusterOf(bucket(), content), key)).isLost ?? false).toBe(isLost);
  });

  test('make a Bucket bound only when they have been copied', () => {
    const lost = said('SecretReady', 'CredentialsLost');
    const content = ready({ status: { phase: 'Bound' } });
    const waiting = bucket({ status: { phase: 'Bound', conditions: [said('Bound', 'Bound', undefined, true), lost] } });
    expect(summaryOf(bind({ bucket: waiting, content }, now))).toBe('patch bucket status');
    const again = { ...waiting, status: { ...waiting.status, conditions: [said('Bound', 'AwaitingSecret'), copied] } };
    expect(summaryOf(bind({ bucket: again, content }, now))).toBe('patch bucket status');
  });
});
