import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../processes/free-port.ts';
import { type KeptProcess, startKept, tailOf } from '../processes/kept-process.ts';
import { patient } from '../processes/patience.ts';
import { installLocalAws } from './install.ts';

export interface LocalAws {
  readonly endpoint: string;
  readonly region: string;
  readonly accountId: string;
  /** An administrator: no policy restricts these keys. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** The environment of a child process that uses this AWS, and nothing of the user's own AWS configuration. */
  readonly environment: Readonly<Record<string, string>>;
  /** The folder for everything that is written while this AWS runs. It is removed at the end. */
  readonly folder: string;
  readonly logPath: string;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL('./as-aws.py', import.meta.url));
const lambdaPreload = new URL('./lambda-preload.mjs', import.meta.url).href;
const region = 'eu-central-1';
const accountId = '111122223333';
const startTimeoutMs = patient(180_000);
const attempts = 5;

/** Starts a new AWS: empty, on the loopback interface only, with IAM enforced, and ended with this process. */
export async function startLocalAws(options: { progress?: (line: string) => void } = {}): Promise<LocalAws> {
  const progress = options.progress ?? (() => {});
  const python = await installLocalAws(progress);
  for (let attempt = 1; ; attempt++) {
    const aws = await attemptStart(python, await freePort());
    if (aws !== 'port taken') {
      progress(`The local AWS is ready at ${aws.endpoint}`);
      return aws;
    }
    if (attempt === attempts) throw new Error(`The port of the local AWS was in use, ${attempts} times in a row`);
  }
}

async function attemptStart(python: string, port: number): Promise<LocalAws | 'port taken'> {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-aws-'));
  const logPath = join(folder, 'local-aws.log');
  // The keys differ from start to start, so that a client of one local AWS is refused by any other.
  const credentials = {
    accessKeyId: `LOCAL${randomBytes(8).toString('hex').toUpperCase()}`,
    secretAccessKey: randomBytes(16).toString('hex'),
  };
  const kept = startKept({
    command: python,
    args: [program],
    environment: serverEnvironment(folder, port, credentials),
    folder,
    logPath,
  });
  const endpoint = `http://127.0.0.1:${port}`;
  try {
    await untilReady(endpoint, credentials.accessKeyId, kept);
  } catch (error) {
    const tail = await tailOf(logPath);
    await kept.stop();
    if (tail.includes('already in use')) return 'port taken';
    throw new Error(`The local AWS did not start: ${error instanceof Error ? error.message : error}\n${tail}`);
  }
  const environment = clientEnvironment(endpoint, folder, credentials);
  return { endpoint, region, accountId, credentials, environment, folder, logPath, stop: () => kept.stop() };
}

/** The parts of a local AWS that a client needs. */
export type Connectable = Pick<LocalAws, 'endpoint' | 'region' | 'credentials'>;

/** The same in the form for a client of the AWS SDK. */
export function clientSettings({ endpoint, region, credentials }: Connectable) {
  return { endpoint, region, credentials: { ...credentials } };
}

interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Lambda functions inherit this environment, so it inherits nothing itself. */
function serverEnvironment(folder: string, port: number, keys: Keys): Record<string, string> {
  return {
    // Lambda workers run the first `node` in the path: this process's own.
    PATH: [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter),
    // The warning is about the wrapper of the functions, and would be the first line in the log of each.
    NODE_OPTIONS: `--import=${lambdaPreload} --disable-warning=DEP0169`,
    HOME: folder,
    TMPDIR: folder,
    AUTH: 'true',
    BIND_HOST: '127.0.0.1',
    MINISTACK_HOST: '127.0.0.1',
    GATEWAY_PORT: String(port),
    MINISTACK_REGION: region,
    MINISTACK_ACCOUNT_ID: accountId,
    SFTP_ENABLED: '0',
    // These keys are the administrator's, because the server was started with them.
    AWS_ACCESS_KEY_ID: keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
    ...withoutOwnConfiguration(folder),
  };
}

function clientEnvironment(endpoint: string, folder: string, keys: Keys): Record<string, string> {
  return {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
    ...withoutOwnConfiguration(folder),
  };
}

/** The files do not exist: the user's configuration for the real AWS is not read. */
function withoutOwnConfiguration(folder: string): Record<string, string> {
  return {
    AWS_CONFIG_FILE: join(folder, 'no-config'),
    AWS_SHARED_CREDENTIALS_FILE: join(folder, 'no-credentials'),
    AWS_EC2_METADATA_DISABLED: 'true',
  };
}

/** Ready once it accepts our key: any other process that has taken the port meanwhile refuses it. */
async function untilReady(endpoint: string, accessKeyId: string, kept: KeptProcess): Promise<void> {
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20200101/${region}/sts/aws4_request, SignedHeaders=host, Signature=0`;
  const body = new URLSearchParams({ Action: 'GetCallerIdentity', Version: '2011-06-15' });
  const deadline = Date.now() + startTimeoutMs;
  while (Date.now() < deadline) {
    const ended = kept.ended();
    if (ended !== undefined) throw new Error(ended);
    try {
      const request = { method: 'POST', headers: { authorization }, body, signal: AbortSignal.timeout(2_000) };
      if ((await fetch(endpoint, request)).ok) return;
    } catch {
      // Nothing listens yet.
    }
    await sleep(50);
  }
  throw new Error(`it did not answer within ${startTimeoutMs / 1000} s`);
}
