import type { Checkpoint } from '../../../lib/forwarder/checkpoint.ts';
import { Forwarder } from '../../../lib/forwarder/forwarder.ts';
import type { Resource } from '../../../lib/kubernetes/resource.ts';
import { Outbox } from '../../../lib/queue/outbox.ts';
import type { Change, Router } from '../../../lib/reconcile/routing.ts';
import { hurriedClock } from '../../support/hurried-clock.ts';
import { type Script, ScriptedApi } from './scripted-api.ts';

export interface Ran {
  forwarder: Forwarder;
  /** What was asked of the server, in this order. */
  asked: string[];
  /** What was logged, without its details. */
  told: string[];
  /** What routing was told. */
  seen: string[];
  /** Of which objects a queue was told, by name, and whether in another run's name. */
  sent: string[];
}

export interface RunOptions {
  kinds: readonly Resource[];
  script: Script;
  since?: Checkpoint;
  /** Everything concerns the key of its own name, where nothing else is said. */
  routesOf?: (change: Change) => ReturnType<Router['routesOf']>;
}

/** Something that never comes true ends a test as a failure, not as one that hangs. */
const maxMs = 10_000;

/** Runs a forwarder until the condition is met. */
export async function runUntil(options: RunOptions, condition: (ran: Ran) => boolean): Promise<Ran> {
  const { kinds, script, since, routesOf } = options;
  const api = new ScriptedApi(script);
  const [told, seen, sent]: [string[], string[], string[]] = [[], [], []];
  const log = { info: (line: string) => void told.push(line), error: (line: string) => void told.push(line) };
  const outbox = new Outbox({
    send: async (_, messages) => {
      for (const { body } of messages) {
        const { name, runid } = JSON.parse(body) as { name: string; runid?: string };
        sent.push(runid === undefined ? name : `${name} by a run`);
      }
      return [];
    },
    clock: hurriedClock,
    onFailure: (error) => told.push(String(error)),
  });
  const createRouter = (): Router => ({
    note: ({ type, object }) => void seen.push(`${type} ${object.metadata.name}`),
    routesOf: routesOf ?? (({ resource, object: { metadata } }) => [routeTo(resource, metadata)]),
  });
  const forwarder = new Forwarder({
    cluster: 'test',
    api,
    outbox,
    log: { ...log, measure: () => {} },
    clock: hurriedClock,
    resources: kinds,
    createRouter,
    ...(since ? { since } : {}),
  });
  const ran: Ran = { forwarder, asked: api.asked, told, seen, sent };
  const abort = new AbortController();
  const timer = setInterval(() => condition(ran) && abort.abort(), 5);
  const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(maxMs)]);
  await forwarder.run(signal).finally(() => clearInterval(timer));
  return ran;
}

function routeTo(resource: Resource, { namespace, name }: { namespace?: string; name: string }) {
  const key = namespace === undefined ? { name } : { namespace, name };
  return { function: 'match-claim', resource, key };
}
