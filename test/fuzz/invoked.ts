import fc, { type Arbitrary } from 'fast-check';
import { archivedBody } from './archive-answers.ts';
import { eventsWith, oddValues, spoiledEvents } from './hostile-invocations.ts';
import { hostileText } from './hostile-values.ts';
import { orphan } from './iam-answers.ts';
import type { Asked } from './stand-in-api.ts';
import type { Called } from './stand-in-aws.ts';
import { archive, clusterNames, queuePath } from './surroundings.ts';
import { objectIn } from './well-formed.ts';

/** A function that is invoked, by a schedule or by hand. */
export interface Invoked {
  events: Arbitrary<unknown>;
  /** Whether an event has to be done, or refused; or whether it may be either. */
  isMeant(event: unknown): boolean | 'perhaps';
  /** What it may do then beside reading. */
  mayWrite(asked: Asked): boolean;
  mayCall(called: Called): boolean;
  /** How much of its time limit is left. */
  remainingMs: number;
}

const never = () => false;

export const invoked: Record<string, Invoked> = {
  forward: {
    // A run lasts a second, so no event begins one that should not.
    events: eventsWith('cluster', oddValues).filter((event) => !isAboutClusters(event)),
    isMeant: isAboutClusters,
    mayWrite: never,
    mayCall: never,
    remainingMs: 11_000,
  },
  'sweep-buckets': {
    events: fc.oneof(
      { weight: 8, arbitrary: eventsWith('remove', oddValues) },
      { weight: 1, arbitrary: fc.array(nearly(orphan), { minLength: 1, maxLength: 4 }).map((remove) => ({ remove })) },
    ),
    isMeant: (event) => isRemoval(event),
    mayWrite: ({ url, body }) => {
      const { name } = (body as { metadata?: { name?: string } } | undefined)?.metadata ?? {};
      const reports = '/api/v1/namespaces/longshore-system/configmaps';
      return url === `${reports}/bucket-orphans` || (url === reports && name === 'bucket-orphans');
    },
    mayCall: ({ action }) => /^(GET|HEAD) |^(List|Get)/.test(action),
    remainingMs: 60_000,
  },
  resync: {
    // As for forward.
    events: fc
      .oneof(eventsWith('cluster', oddValues), eventsWith('rate', oddValues))
      .filter((event) => !isAboutClusters(event) || !isRated(event)),
    isMeant: (event) => isAboutClusters(event) && isRated(event),
    mayWrite: never,
    mayCall: never,
    remainingMs: 16_000,
  },
  replay: {
    events: fc.oneof(
      spoiledEvents({ from: '6h', to: '1h', cluster: 'main', kind: 'pvc', name: 'data', rate: 5 }),
      spoiledEvents({ resume: 'replay-20261119T040000Z-000000' }),
      eventsWith('from', oddValues),
    ),
    isMeant: () => 'perhaps',
    mayWrite: never,
    mayCall: (called) => isOfArchive(called) || isArchivedMessage(called),
    remainingMs: 16_000,
  },
};

/** It looks for segments, reads them, and keeps how far it has come. */
function isOfArchive({ service, action }: Called): boolean {
  return service === 's3' && [isList, ofRecord, isSegment].some((pattern) => pattern.test(action));
}

function isArchivedMessage({ service, action, parameters }: Called): boolean {
  if (service !== 'sqs' || action !== 'SendMessageBatch' || !String(parameters.QueueUrl).endsWith(queuePath))
    return false;
  const entries = parameters.Entries as { MessageBody: string }[];
  return entries.every(({ MessageBody }) => objectIn(MessageBody)?.name === objectIn(archivedBody)?.name);
}

const isList = new RegExp(`^GET /${archive}/\\?(delimiter=%2F&)?list-type=2&`);
const ofRecord = new RegExp(`^(GET|PUT) /${archive}/replays/[A-Za-z0-9][A-Za-z0-9._-]{0,127}\\.json\\?`);
const isSegment = new RegExp(`^GET /${archive}/cluster(=|%3D)main/`);

function fieldsIn(event: unknown): Record<string, unknown> | undefined {
  if (event === undefined || event === null) return {};
  return typeof event === 'object' && !Array.isArray(event) ? (event as Record<string, unknown>) : undefined;
}

function isAboutClusters(event: unknown): boolean {
  const fields = fieldsIn(event);
  return fields !== undefined && (fields.cluster === undefined || clusterNames.some((name) => name === fields.cluster));
}

function isRated(event: unknown): boolean {
  const { rate = 1 } = fieldsIn(event) ?? {};
  return Number.isInteger(rate) && Number(rate) >= 1 && Number(rate) <= 1_000;
}

function isRemoval(event: unknown): boolean {
  const { remove = [] } = fieldsIn(event) ?? { remove: undefined };
  if (fieldsIn(event) === undefined || !Array.isArray(remove)) return false;
  return remove.every((name) => typeof name === 'string' && name.length <= 300);
}

/** Names that are nearly the one of something that could be removed. */
function nearly(name: string): Arbitrary<string> {
  const around = fc.tuple(hostileText, hostileText).map(([before, after]) => `user/${before}${name}${after}`);
  const others = ['', 'User/', 'role/', 'bucket/', 'key/'].map((prefix) => `${prefix}${name}`);
  const all = fc.oneof(around, fc.constantFrom(...others, `user/${name.toUpperCase()}`), hostileText);
  return all.filter((each) => each !== `user/${name}`);
}
