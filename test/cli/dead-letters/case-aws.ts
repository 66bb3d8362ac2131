import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Pair } from '../../lib/recovery/dead-letters/case-queues.ts';
import { startQueues } from '../../lib/recovery/dead-letters/case-queues.ts';
import { bareEnvironment } from '../../support/bare-environment.ts';

const main = fileURLToPath(new URL('../../../cli/main.ts', import.meta.url));

export interface Line {
  timestamp: number;
  message: string;
}

interface Logs {
  lines: Line[];
  refusal: string | undefined;
  asked: number;
  /** No answer is given before. */
  answering: Promise<void>;
}

/** An AWS with one stack: its queues are real ones, its outputs and its logs are what a test says. */
export async function startAws(functions: readonly string[], clusters?: readonly string[]) {
  const queues = await startQueues();
  const pairs: Record<string, Pair> = {};
  for (const name of functions) pairs[name] = await queues.newPair(name);
  const logs: Logs = { lines: [], refusal: undefined, asked: 0, answering: Promise.resolve() };
  const server = createServer(async (incoming, outgoing) => {
    const body = await text(incoming);
    if (isAboutLogs(incoming)) {
      logs.asked += 1;
      await logs.answering;
      const { startTime = 0 } = JSON.parse(body);
      const events = logs.lines.filter(({ timestamp }) => timestamp >= startTime);
      const answer = logs.refusal ? { __type: logs.refusal, message: 'it is not allowed' } : { events };
      outgoing.writeHead(logs.refusal ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' });
      outgoing.end(JSON.stringify(answer));
      return;
    }
    // Without a name it is asked for all there are.
    const isKnown = (new URLSearchParams(body).get('StackName') ?? 'longshore-test') === 'longshore-test';
    outgoing
      .writeHead(isKnown ? 200 : 400, { 'content-type': 'text/xml' })
      .end(isKnown ? stackOf(pairs, clusters) : noStack);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const environment = {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    AWS_ENDPOINT_URL_SQS: queues.endpoint,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    LONGSHORE_STAGE: 'test',
    KUBECONFIG: '/nowhere',
  };
  const stop = async () => {
    server.close();
    await queues.stop();
  };
  return { pairs, logs, environment, run: (args: string[], input?: string) => run(args, environment, input), stop };
}

export function pairOf({ pairs }: Pick<Awaited<ReturnType<typeof startAws>>, 'pairs'>, name: string): Pair {
  const pair = pairs[name];
  if (!pair) throw new Error(`${name} has no queues`);
  return pair;
}

function isAboutLogs({ headers }: IncomingMessage): boolean {
  return String(headers['x-amz-target']).startsWith('Logs_');
}

/** Starts a command as a process; without an input it has none to read. */
export function start(args: string[], environment: Record<string, string>, input = '') {
  const child = spawn(process.execPath, [main, ...args], { env: bareEnvironment(environment), stdio: 'pipe' });
  child.stdin.end(input);
  const code = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const read = async () => {
    const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), code]);
    return { status, stdout, stderr };
  };
  return { child, ended: read() };
}

export function run(args: string[], environment: Record<string, string>, input?: string) {
  return start(args, environment, input).ended;
}

const stackId = 'arn:aws:cloudformation:eu-central-1:111122223333:stack/longshore-test/1';
/** LONGSHORE_IDENTITY of its functions. */
export const identity = 'longshore-test.111122223333.eu-central-1';

const noStack =
  '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id does not exist</Message></Error></ErrorResponse>';

function stackOf(pairs: Record<string, Pair>, clusters: readonly string[] | undefined): string {
  const outputs = Object.entries(pairs).flatMap(([name, { urls }]) => [
    output(`${inPascalCase(name)}QueueUrl`, urls.url),
    output(`${inPascalCase(name)}DeadLetterQueueUrl`, urls.deadLetterUrl),
  ]);
  if (clusters) outputs.push(output('ClusterNames', JSON.stringify(clusters).replaceAll('"', '&quot;')));
  const stack = `<StackName>longshore-test</StackName><StackId>${stackId}</StackId><CreationTime>2026-11-19T03:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus>`;
  const result = `<Stacks><member>${stack}<Outputs>${outputs.join('')}</Outputs></member></Stacks>`;
  return `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult>${result}</DescribeStacksResult></DescribeStacksResponse>`;
}

function output(key: string, value: string): string {
  return `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`;
}

function inPascalCase(name: string): string {
  return name.replaceAll(/(?:^|-)([a-z])/g, (_, deadLetter: string) => deadLetter.toUpperCase());
}
