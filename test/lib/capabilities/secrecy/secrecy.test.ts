import { describe, expect, test } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import fc from 'fast-check';
import type { DriverConfig } from '../../../../lib/capabilities/buckets/drivers/driver-config.ts';
import { createDrivers } from '../../../../lib/capabilities/buckets/drivers/drivers.ts';
import { createRequestHandler } from '../../../../lib/capabilities/buckets/steps/request-bucket/requests.ts';
import { sweep } from '../../../../lib/capabilities/buckets/steps/sweep-buckets/sweep.ts';
import { logReport, writeReports } from '../../../../lib/capabilities/buckets/steps/sweep-buckets/write-reports.ts';
import { answerOf } from '../../../../lib/capabilities/buckets/sweep/report.ts';
import { RestCluster } from '../../../../lib/kubernetes/rest-cluster.ts';
import { buildMessage } from '../../../../lib/queue/message.ts';
import type { Runtime } from '../../../../lib/reconcile/handler-runtime.ts';
import { createHandler, type Handler } from '../../../../lib/reconcile/serve.ts';
import type { Step, World } from '../../../../lib/reconcile/step.ts';
import { consoleLog } from '../../../../lib/runtime/log.ts';
import { drivers, identity, type Target, targets } from '../../../fuzz/fixtures.ts';
import { FakeStore } from '../../../support/fake-store.ts';
import { stepsWith } from '../../../support/steps.ts';
import { contentName } from '../buckets/bucket-stages.ts';
import { creating, deleting, made, settings } from '../buckets/steps/request-bucket/samples.ts';
import { secret, secretsIn } from './marks.ts';
import { type Manner, manners, TalkativeApi } from './talkative-api.ts';

const now = () => new Date('2026-03-01T12:00:00Z');
const maxReceives = 3;
const numRuns = 150;
const configs = drivers as DriverConfig[];

/** One AWS that answers each so-manieth command as it answers a wrong signature: with what it was sent. */
function talkativeStore(everyNth: number): FakeStore {
  let commands = 0;
  return new FakeStore({
    around: async (_, perform) => {
      commands += 1;
      if (everyNth > 0 && commands % everyNth === 0) throw wrongSignature();
      const answer = (await perform()) as { AccessKey?: object };
      return answer.AccessKey ? { ...answer, AccessKey: { ...answer.AccessKey, SecretAccessKey: secret } } : answer;
    },
  });
}

function wrongSignature(): Error {
  const canonical = `'POST\n/\n\nhost:iam.amazonaws.com\nx-amz-security-token:${secret}\n`;
  const message = `The request signature we calculated does not match.\n\nThe Canonical String for this request should have been\n${canonical}`;
  return Object.assign(new Error(message), { name: 'SignatureDoesNotMatch', $metadata: { httpStatusCode: 403 } });
}

/** All that people can come to read. */
class Told {
  readonly lines: string[] = [];
  readonly log = consoleLog({ function: 'any' }, { level: 'debug', write: (line) => void this.lines.push(line) });
  private readonly api: TalkativeApi;

  constructor(api: TalkativeApi) {
    this.api = api;
  }

  runtime(access: Error | undefined): Runtime {
    const cluster = new RestCluster('main', this.api);
    return {
      cluster: async (_, trace, { debug } = {}) => {
        if (access) throw access;
        return cluster.within({ trace, debug });
      },
      forgetCredentials: () => {},
      postpone: async () => {},
      maxReceives,
      log: this.log,
      now,
    };
  }

  get secrets(): string[] {
    return [...this.lines, ...this.api.told].flatMap((text) => (secretsIn(text).length > 0 ? [text] : []));
  }
}

function eventOf(bodies: string[], receiveCount: number): SQSEvent {
  const Records = bodies.map((body, index) => {
    const attributes = { MessageGroupId: `group ${index}`, ApproximateReceiveCount: String(receiveCount) };
    return { messageId: `id-${index}`, receiptHandle: 'handle', body, attributes };
  });
  return { Records } as unknown as SQSEvent;
}

function messagesFor(functionName: string): string[] {
  const target = targets[functionName];
  if (!target) throw new Error(`no object is known for ${functionName}`);
  const others = functionName === 'provision-bucket' ? [{ ...target, name: contentName }] : [];
  return [...[target, ...others].map((each) => messageFor(functionName, each)), secret];
}

function messageFor(functionName: string, { resource, namespace, name }: Target): string {
  const key = namespace === undefined ? { name } : { namespace, name };
  const cause = { uid: 'u', resourceVersion: '1', type: 'update' as const };
  return buildMessage({ cluster: 'main', function: functionName, resource, key, cause, time: now() }).body;
}

const given = fc.record({
  manners,
  receiveCount: fc.integer({ min: 1, max: maxReceives }),
  everyNth: fc.integer({ min: 0, max: 6 }),
  access: fc.constantFrom(undefined, undefined, undefined, undefined, wrongSignature(), notJson()),
});
type Given = typeof given extends fc.Arbitrary<infer Value> ? Value : never;

function notJson(): Error {
  try {
    return JSON.parse(`${secret} is the password`);
  } catch (error) {
    return error as Error;
  }
}

async function toldBy(
  { manners, receiveCount, access }: Given,
  bodies: string[],
  handler: (runtime: Runtime) => Handler,
) {
  const told = new Told(new TalkativeApi(manners));
  await handler(told.runtime(access))(eventOf(bodies, receiveCount), { awsRequestId: 'request' });
  return told;
}

function stepNamed(name: string, everyNth: number): Step<World> {
  const drivers = createDrivers(configs, { identity, connect: talkativeStore(everyNth).connect });
  const step = stepsWith({ drivers, identity, worker: 'worker' }).find((each) => each.name === name);
  if (!step) throw new Error(`there is no step ${name}`);
  return step;
}

describe('whatever a cluster and AWS answer, no secret is told', () => {
  test.each(stepsWith().map(({ name }) => name))('by %s', async (name) => {
    let lines = 0;
    const property = fc.asyncProperty(given, async (each) => {
      const step = stepNamed(name, each.everyNth);
      const told = await toldBy(each, messagesFor(name), (runtime) => createHandler(step, runtime));
      lines += told.lines.length;
      expect(told.secrets).toEqual([]);
    });
    await fc.assert(property, { numRuns });
    expect(lines).toBeGreaterThan(numRuns);
  });

  test('by request-bucket', async () => {
    const unknown = { password: secret, note: secret };
    const bodies = [
      creating(),
      creating({ name: 'former' }),
      creating(unknown),
      deleting({ name: 'former' }, { detail: unknown }),
      made('data-2026', { requestParameters: { bucketName: 'data-2026', ...unknown } }),
      `{"password":"${secret}"}`,
      secret,
    ];
    const property = fc.asyncProperty(given, async (each) => {
      const reasons: string[] = [];
      const bury = async ({ reason }: { reason: string }) => void reasons.push(reason);
      const told = await toldBy(each, bodies, (runtime) => createRequestHandler(settings, { ...runtime, bury }));
      expect([...told.secrets, ...reasons.flatMap(secretsIn)]).toEqual([]);
    });
    await fc.assert(property, { numRuns });
  });

  test('by sweep-buckets', async () => {
    const property = fc.asyncProperty(given, async ({ manners, everyNth }) => {
      const api = new TalkativeApi(manners);
      const told = new Told(api);
      const drivers = createDrivers(configs, { identity, connect: talkativeStore(everyNth).connect });
      const cluster = async () => new RestCluster('main', api);
      const access = { clusters: ['main'], cluster, drivers, identity, deadline: Date.now() + 60_000, now };
      const report = await sweep(access, ['cosi-any']);
      report.problems.push(...(await writeReports(access, report)));
      logReport(told.log, report, [...drivers.keys()], access.clusters);
      expect([...told.secrets, ...secretsIn(JSON.stringify(answerOf(report)))]).toEqual([]);
    });
    await fc.assert(property, { numRuns });
  });
});

test('a step that tells what it has read is noticed', async () => {
  const honest = stepNamed('copy-secret', 0);
  const decide = (world: World) => ({ do: 'retry', reason: 'Any', message: JSON.stringify(world) }) as const;
  const right: Manner[] = ['right'];
  const each = { manners: right, receiveCount: 1, everyNth: 0, access: undefined };
  const told = await toldBy(each, messagesFor('copy-secret'), (runtime) => {
    return createHandler({ ...honest, decide }, runtime);
  });
  expect(told.secrets).not.toEqual([]);
});
