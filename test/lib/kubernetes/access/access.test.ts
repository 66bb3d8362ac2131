import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accessTo } from '../../../../lib/kubernetes/access/access.ts';
import type { AccessConfig } from '../../../../lib/runtime/config.ts';

const server = 'https://api.example.com';
const eks: AccessConfig = {
  type: 'eks',
  server,
  certificateAuthority: Buffer.from('-----BEGIN').toString('base64'),
  clusterName: 'shop',
};
const keys = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' };
const urlIn = (token = '') => Buffer.from(token.slice('k8s-aws-v1.'.length), 'base64url').toString('utf8');

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-access-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('an EKS cluster without a region is refused, before any call to it', async () => {
  await expect(accessTo(eks, keys)).rejects.toThrow('access to EKS cluster shop needs a region, or AWS_REGION');
});

test("an EKS cluster's own region counts for more than the function's", async () => {
  const environment = { ...keys, AWS_REGION: 'eu-central-1' };
  const hosts = [eks, { ...eks, region: 'us-east-2' }].map(async (config) => {
    const access = await accessTo(config, environment);
    return new URL(urlIn(await access.token?.())).host;
  });
  expect(await Promise.all(hosts)).toEqual(['sts.eu-central-1.amazonaws.com', 'sts.us-east-2.amazonaws.com']);
});

test('the authority of an EKS cluster is decoded', async () => {
  expect(await accessTo({ ...eks, region: 'a' }, keys)).toMatchObject({ server, certificateAuthority: '-----BEGIN' });
});

test('a token that could not be read is read at the next call', async () => {
  const path = join(folder, 'token');
  const { token } = await accessTo({ type: 'token', server, from: `file:${path}` }, {});
  await expect(token?.()).rejects.toThrow('ENOENT');
  await writeFile(path, 'late');
  expect(await token?.()).toBe('late');
});
