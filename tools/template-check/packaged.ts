import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runServerless } from '../../deployment/serverless/run-serverless.ts';

const region = 'eu-central-1';
const stage = 'production';
const account = '111122223333';

const clusters = JSON.stringify([
  {
    name: 'main',
    access: { type: 'kubeconfig', from: `secretsmanager:longshore/${stage}/clusters/main/{function}` },
  },
]);

/** Every parameter that makes a deployment safer, and none of them. */
const variants: Record<string, Record<string, string>> = {
  default: {},
  hardened: {
    'kms-key': 'on',
    'former-kms-keys': `arn:aws:kms:${region}:${account}:key/1234abcd-12ab-34cd-56ef-1234567890ab`,
    'subnet-ids': 'subnet-0123456789abcdef0,subnet-0123456789abcdef1',
    'security-group-ids': 'sg-0123456789abcdef0',
    'reserved-concurrency': 'all',
    senders: `arn:aws:iam::${account}:role/operators`,
    tracing: 'Active',
    'alarm-topic': `arn:aws:sns:${region}:${account}:alarms`,
    'page-topic': `arn:aws:sns:${region}:${account}:pages`,
  },
};

/**
 * Creates the templates of a deployment like `serverless package`, each named after its variant, for the duration of
 * the work.
 */
export async function withPackaged<T>(work: (paths: string[]) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-templates-'));
  try {
    const paths: string[] = [];
    for (const [name, parameters] of Object.entries(variants)) {
      const path = join(folder, `${name}.json`);
      await packageTo(path, parameters, folder);
      paths.push(path);
    }
    return await work(paths);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** No call to AWS is needed: the credentials are invalid. */
async function packageTo(path: string, parameters: Record<string, string>, within: string): Promise<void> {
  const environment = { AWS_ACCESS_KEY_ID: 'none', AWS_SECRET_ACCESS_KEY: 'none', AWS_EC2_METADATA_DISABLED: 'true' };
  const run = { command: 'package', stage, region, environment, within } as const;
  await runServerless({ ...run, parameters: { clusters, ...parameters } }, (made) =>
    copyFile(join(made, '.serverless', 'cloudformation-template-update-stack.json'), path),
  );
}
