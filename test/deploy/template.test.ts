import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { checkTemplates } from '../../tools/template-check/check.ts';
import { checkers } from '../../tools/template-check/checkers.ts';
import { isSoak } from '../support/soak.ts';

test(`${isSoak ? 'cfn-lint and checkov find' : 'cfn-lint finds'} nothing in the templates but what is justified, and no justification is left over`, async () => {
  expect(await checkTemplates(() => {}, isSoak)).toEqual({ findings: [], unneeded: [] });
});

test('what is wrong is found', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-template-'));
  const path = join(folder, 'wrong.json');
  const Resources = {
    Bucket: { Type: 'AWS::S3::Bucket', Properties: { BucketNmae: 'misspelt' } },
    Queue: { Type: 'AWS::SQS::Queue', Properties: { SqsManagedSseEnabled: false } },
  };
  try {
    await writeFile(path, JSON.stringify({ AWSTemplateFormatVersion: '2010-09-09', Resources }));
    const { lint, audit } = await checkers(() => {});
    expect(await lint([path])).toContainEqual(expect.objectContaining({ template: path, resource: 'Bucket' }));
    if (!isSoak) return;
    expect(await audit([path])).toContainEqual(
      expect.objectContaining({ template: path, resource: 'Queue', check: 'CKV_AWS_27' }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
