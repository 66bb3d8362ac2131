import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { consoleLog, type LogOptions, withFields } from '../../../lib/runtime/log.ts';
import type { Measurement } from '../../../lib/runtime/metrics.ts';

const measurement: Measurement = {
  name: 'TransfersFailed',
  unit: 'Count',
  value: 1,
  dimensions: { Cluster: 'main', Transfer: 'ByRequest' },
};

function logged(options: LogOptions = {}) {
  const lines: string[] = [];
  const log = consoleLog({ function: 'match-claim' }, { ...options, write: (line) => void lines.push(line) });
  return { log, lines: () => lines.map((line) => JSON.parse(line)), texts: lines };
}

test('a line says when, how serious, what, and what it always says, and leaves out what is not known', () => {
  const { log, lines } = logged();
  log.info('reconciled', { reason: 'Complete', runId: undefined });
  const [line] = lines();
  expect(line).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    level: 'info',
    message: 'reconciled',
    function: 'match-claim',
    reason: 'Complete',
  });
});

test('what is counted is a metric at the top of its line, and what else the line says is no dimension', () => {
  const { log, lines } = logged({ deployment: 'longshore-prod' });
  log.measure(measurement);
  const [line] = lines();
  expect(line).toMatchObject({ message: 'measured', function: 'match-claim', Cluster: 'main', TransfersFailed: 1 });
  expect(line._aws.CloudWatchMetrics[0].Dimensions).toEqual([['Deployment']]);
  // What a metric names has a value in the same line.
  for (const name of ['Deployment', 'Cluster', 'Transfer', 'TransfersFailed']) expect(line).toHaveProperty(name);
});

test('what is counted is of the deployment, or of none that anybody has made', () => {
  const { log, lines } = logged({ deployment: 'longshore-prod' });
  log.measure(measurement);
  const process = logged();
  process.log.measure(measurement);
  expect([...lines(), ...process.lines()]).toMatchObject([
    { Deployment: 'longshore-prod' },
    { Deployment: 'longshore' },
  ]);
});

test('at level error what went well is not told, and what is counted still is', () => {
  const { log, lines } = logged({ level: 'error' });
  log.info('reconciled');
  log.error('message failed');
  log.measure(measurement);
  expect(lines().map(({ message }) => message)).toEqual(['message failed', 'measured']);
});

test('what is told at level debug alone cannot be told at any other', () => {
  const { log, lines, texts } = logged({ level: 'debug' });
  withFields(log, { cluster: 'main' }).debug?.('decided', { reason: 'Bearer abcdefgh12345678' });
  log.info('reconciled');
  expect(lines()).toMatchObject([{ level: 'debug', message: 'decided', cluster: 'main' }, { level: 'info' }]);
  expect(texts.join()).not.toContain('abcdefgh');
  for (const level of ['info', 'error'] as const) {
    expect(logged({ level }).log.debug).toBeUndefined();
    expect(withFields(logged({ level }).log, {}).debug).toBeUndefined();
  }
});

test('fields that are added once are in every line, and a line may say otherwise', () => {
  const { log, lines } = logged();
  const about = withFields(withFields(log, { cluster: 'main', object: 'Bucket a/b' }), { key: 'a/b' });
  about.info('write', { object: 'Secret a/c' });
  about.error('message failed');
  expect(lines()[0]).toMatchObject({ cluster: 'main', key: 'a/b', object: 'Secret a/c' });
  expect(lines()[1]).toMatchObject({ level: 'error', cluster: 'main', key: 'a/b', object: 'Bucket a/b' });
});

test('a text of several lines stays in one', () => {
  const { log, texts } = logged();
  log.error('message failed', { error: 'one\ntwo' });
  expect(texts).toHaveLength(1);
  expect(texts[0]).not.toContain('\n');
});

test('what looks like a credential is not written', () => {
  const { log, texts } = logged();
  log.error('Bearer abcdefgh12345678', { error: 'refused: Bearer abcdefgh12345678' });
  expect(texts.join()).not.toContain('abcdefgh');
});

describe("in a process with the logger's own variables", () => {
  const program = `
    const { consoleLog } = await import(${JSON.stringify(fileURLToPath(new URL('../../../lib/runtime/log.ts', import.meta.url)))});
    const log = consoleLog({ function: 'match-claim' });
    log.info('reconciled', { key: 'a/b' });
    log.error('message failed');
    log.measure({ name: 'MessagesHandled', unit: 'Count', value: 1, dimensions: { Cluster: 'main' } });
    console.log(JSON.stringify({ said: process.env.AWS_SDK_UA_APP_ID ?? 'nothing' }));
  `;
  function linesWith(environment: Record<string, string>): Record<string, unknown>[] {
    const env = { ...process.env, AWS_SDK_UA_APP_ID: undefined, ...environment };
    const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program];
    const output = execFileSync(process.execPath, args, {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }
  const usual = ['reconciled', 'message failed', 'measured', undefined];

  test.each([
    {},
    { POWERTOOLS_DEV: 'true' },
    { POWERTOOLS_LOGGER_SAMPLE_RATE: 'often' },
    { POWERTOOLS_LOGGER_SAMPLE_RATE: '1' },
    { POWERTOOLS_LOGGER_LOG_EVENT: 'perhaps' },
    { POWERTOOLS_LOG_LEVEL: 'SILENT', LOG_LEVEL: 'SILENT' },
    { POWERTOOLS_SERVICE_NAME: 'other', TZ: 'Asia/Tokyo' },
  ])('%j nothing is different', (environment) => {
    const lines = linesWith(environment);
    expect(lines.map(({ message }) => message)).toEqual(usual);
    for (const { time } of lines.slice(0, 3)) expect(time).toMatch(/Z$/);
    expect(Object.keys(lines[0] ?? {})).toEqual(['time', 'level', 'message', 'function', 'key']);
  });

  test("Lambda's own level is kept to, and metrics are written all the same", () => {
    const messages = linesWith({ AWS_LAMBDA_LOG_LEVEL: 'ERROR' }).map(({ message }) => message);
    expect(messages.slice(-3)).toEqual(['message failed', 'measured', undefined]);
    expect(messages).not.toContain('reconciled');
  });

  test('the trace of X-Ray is told', () => {
    const [line] = linesWith({
      _X_AMZN_TRACE_ID: 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=557abcec3ee5a047;Sampled=1',
    });
    expect(line).toMatchObject({ xray: '1-5759e988-bd862e3fe1be46a994272793' });
  });

  test.each([
    [{}, 'nothing'],
    [{ AWS_SDK_UA_APP_ID: 'ours' }, 'ours'],
  ])('what the AWS SDK says of itself is left as it was: %j', (environment, said) => {
    expect(linesWith(environment).at(-1)).toEqual({ said });
  });
});
