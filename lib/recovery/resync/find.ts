import { type Routing, selectionOf } from '../../capabilities/all-capabilities.ts';
import type { Api } from '../../kubernetes/connection.ts';
import { ClusterError, isClusterError } from '../../kubernetes/errors.ts';
import { listAll } from '../../kubernetes/list.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import { asServed, canBeLeftOut, type Discovered } from '../../kubernetes/served.ts';
import { causeOf } from '../../reconcile/cause.ts';
import { Listing } from '../../reconcile/listed-changes.ts';
import type { Route } from '../../reconcile/routing.ts';
import type { OnSkipped } from '../../reconcile/tolerant-router.ts';
import { TolerantRouter } from '../../reconcile/tolerant-router.ts';
import { type Clock, pauseAfter } from '../../runtime/clock.ts';
import { errorText } from '../../runtime/error-text.ts';
import type { MemoryPool } from '../../runtime/memory/pool.ts';
import { weightOf } from '../../runtime/memory/weight.ts';
import type { UnfinishedObject } from './unfinished-object.ts';

export interface Finding {
  api: Pick<Api, 'send' | 'sendForBytes'>;
  routing: Routing;
  clock: Clock;
  signal: AbortSignal;
  onSkipped: OnSkipped;
  /** The memory for all clusters together. */
  memory?: MemoryPool | undefined;
  /** Called before each kind is listed, with the number of objects that were read before. */
  onKind?: ((kind: string, objects: number) => void) | undefined;
}

/** A kind that could not be read. */
export interface LeftOut {
  kind: string;
  reason: string;
  /** True if Longshore works without it: the cluster need not have it, or an administrator has not allowed it. */
  isExpected: boolean;
}

export interface Found {
  /** The number of objects that were read. */
  objects: number;
  things: UnfinishedObject[];
  /** Those that seem finished, and are looked at all the same: no list could show that they are not. */
  checks: UnfinishedObject[];
  leftOut: LeftOut[];
}

const pauses = { firstMs: 500, maxMs: 8_000 };
const maxAttempts = 5;

/**
 * Lists all kinds that routing watches, and returns the unfinished objects. Only objects with possible work are kept,
 * and only the fields that routing reads.
 */
export async function findUnfinished(finding: Finding): Promise<Found> {
  const { clock, signal } = finding;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await findOnce(finding);
    } catch (error) {
      if (signal.aborted) throw new Error('stopped before everything was listed: nothing was sent', { cause: error });
      // Restarted as a whole: an object that is gone meanwhile must not stay in the index, where it would seem to
      // exist.
      const isPassing = isClusterError(error, 'unreachable', 'throttled', 'expired');
      if (!isPassing || attempt === maxAttempts) throw error;
      await clock.pause(pauseAfter(attempt, pauses), signal);
    }
  }
}

/** The maximum that the index stores about an object that waits for nothing. */
const notedBytes = 200;

async function findOnce(finding: Finding): Promise<Found> {
  const lost = new AbortController();
  const share = finding.memory?.share((error) => lost.abort(error));
  const signal = AbortSignal.any([finding.signal, lost.signal]);
  try {
    return await listAllKinds({ ...finding, signal }, (bytes) => share?.take(bytes));
  } catch (error) {
    // What was found is kept until all of it has been sent.
    share?.close();
    throw lost.signal.aborted ? new ClusterError('oversized', errorText(lost.signal.reason), undefined, error) : error;
  }
}

async function listAllKinds(finding: Finding, hold: (bytes: number) => void): Promise<Found> {
  const { api, routing, clock, signal, onSkipped, onKind } = finding;
  const router = new TolerantRouter(routing.createRouter(), onSkipped);
  const listing = new Listing(router);
  const discovered: Discovered = new Map();
  const leftOut: LeftOut[] = [];
  let objects = 0;
  for (const resource of routing.resources) {
    onKind?.(resource.kind, objects);
    try {
      const served = await asServed(api, resource, discovered, signal);
      if (!served) {
        leftOut.push({ kind: resource.kind, reason: 'the cluster does not serve it', isExpected: true });
        router.leaveOut(resource);
        continue;
      }
      const selection = selectionOf(resource);
      const take = (object: Parameters<Parameters<typeof listAll>[2]>[0]) => {
        objects += 1;
        const isKept = listing.add({ type: 'listed', resource, object, seenAt: clock.now() });
        hold(isKept ? weightOf(object) : notedBytes);
      };
      await listAll(api, served, take, { selection, signal });
    } catch (error) {
      leftOut.push(leftOutBy(resource, error));
      router.leaveOut(resource);
    }
  }
  return { objects, ...thingsIn(listing, router, routing.resources), leftOut };
}

/** Throws errors that concern more than this kind. */
function leftOutBy(resource: Resource, error: unknown): LeftOut {
  const isExpected = canBeLeftOut(resource, error);
  if (!isExpected && !isClusterError(error, 'denied')) throw error;
  const reason = errorText(error);
  return { kind: resource.kind, reason, isExpected };
}

/** Queried again now that the index is complete. */
function thingsIn(listing: Listing, router: TolerantRouter, kinds: readonly Resource[]) {
  const things: UnfinishedObject[] = [];
  const checks: UnfinishedObject[] = [];
  for (const resource of kinds) {
    for (const change of listing.of(resource)) {
      const { namespace, name } = change.object.metadata;
      const object = namespace === undefined ? { resource, name } : { resource, namespace, name };
      const all = router.routesOf(change);
      const found = (routes: Route[]) => (routes.length === 0 ? [] : [{ object, cause: causeOf(change), routes }]);
      things.push(...found(all.filter(({ only }) => only !== 'check')));
      checks.push(...found(all.filter(({ only }) => only === 'check')));
    }
  }
  return { things, checks };
}
