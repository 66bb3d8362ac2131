import type { ElectedForwarderOptions } from '../../../lib/forwarder/elected-forwarder.ts';
import type { LeaseRecord } from '../../../lib/forwarder/lease-record.ts';
import { isAfter, Progress } from '../../../lib/forwarder/progress.ts';
import type { Answer, Call } from '../../../lib/kubernetes/connection.ts';
import type { Resource } from '../../../lib/kubernetes/resource.ts';
import { LatestLane } from '../../../lib/queue/latest-lane.ts';
import { checkpointNames } from './kinds.ts';
import { isLeasePath } from './lease-object.ts';
import type { ForwarderMutant } from './mutant.ts';

const annotation = 'longshore.dev/checkpoint';

/** The same record with another checkpoint in it. */
function withCheckpoint(record: LeaseRecord, change: (checkpoint: Record<string, string>) => object): LeaseRecord {
  const text = record.metadata.annotations?.[annotation];
  if (text === undefined) return record;
  const annotations = { ...record.metadata.annotations, [annotation]: JSON.stringify(change(JSON.parse(text))) };
  return { ...record, metadata: { ...record.metadata, annotations } };
}

/** A forwarder whose calls about the Lease are changed on their way. */
function callingWith(
  options: ElectedForwarderOptions,
  change: { call?(call: Call): Call; answer?(answer: Answer): Answer },
): ElectedForwarderOptions {
  const { api } = options;
  const send = async (call: Call, signal?: AbortSignal): Promise<Answer> => {
    if (!isLeasePath(call.path)) return api.send(call, signal);
    const answer = await api.send(change.call?.(call) ?? call, signal);
    return change.answer?.(answer) ?? answer;
  };
  return { ...options, api: { send, sendForBytes: api.sendForBytes.bind(api), open: api.open.bind(api) } };
}

/** How far a forwarder says that it has come, by one that says it wrongly. */
export const checkpointMutants: readonly ForwarderMutant[] = [
  {
    name: 'checkpoint-of-what-was-seen',
    needs: ['queue away'],
    surround: (options) => {
      const seen: Record<string, string> = {};
      const see = (resource: Resource, version = '') => {
        const name = checkpointNames.get(resource) ?? '';
        if (isAfter(version, seen[name] ?? '')) seen[name] = version;
      };
      const createRouter = () => {
        const router = options.createRouter?.() ?? { note: () => {}, routesOf: () => [] };
        return {
          ...router,
          note: (change: Parameters<typeof router.note>[0]) => {
            see(change.resource, change.object.metadata.resourceVersion);
            router.note(change);
          },
        };
      };
      const call = (given: Call): Call =>
        given.body
          ? { ...given, body: withCheckpoint(given.body as LeaseRecord, (last) => ({ ...last, ...seen })) }
          : given;
      return callingWith({ ...options, createRouter }, { call });
    },
  },
  {
    name: 'checkpoint-of-the-first-taken',
    // Of the messages that one change brings, and of the changes before it, it does not wait for the others.
    replace: () => {
      const { reach } = Progress.prototype;
      Progress.prototype.reach = function (version, messages, nowMs) {
        const taken = reach.call(this, version, messages, nowMs);
        return () => {
          taken();
          Reflect.set(this, 'acknowledgedVersion', version);
        };
      };
      return () => {
        Progress.prototype.reach = reach;
      };
    },
  },
  {
    name: 'list-over-at-its-beginning',
    // What a list has found comes up bit by bit, and it does not wait for the rest.
    needs: ['kills'],
    replace: () => {
      const { begin } = Progress.prototype;
      Progress.prototype.begin = function (version, nowMs) {
        const begun = begin.call(this, version, nowMs);
        begun.end();
        return { ...begun, end: () => {} };
      };
      return () => {
        Progress.prototype.begin = begin;
      };
    },
  },
  {
    name: 'coalesced-callback-lost',
    needs: ['queue away', 'failed sends'],
    replace: () => {
      const { add } = LatestLane.prototype;
      LatestLane.prototype.add = function (parts, waiting) {
        return add.call(this, parts, this.isToSend(parts) ? undefined : waiting);
      };
      return () => {
        LatestLane.prototype.add = add;
      };
    },
  },
  {
    name: 'since-of-another-kind',
    needs: ['kills'],
    surround: (options) =>
      callingWith(options, {
        answer: (answer) => {
          if (answer.status !== 200) return answer;
          const most = (checkpoint: Record<string, string>) => {
            const [version = ''] = Object.values(checkpoint).sort((one, other) => (isAfter(one, other) ? -1 : 1));
            return Object.fromEntries([...checkpointNames.values()].map((name) => [name, version]));
          };
          return { ...answer, body: JSON.stringify(withCheckpoint(JSON.parse(answer.body), most)) };
        },
      }),
  },
];
