import type { Claim } from '../../lib/kubernetes/objects.ts';
import { amountOf } from '../../lib/kubernetes/quantity.ts';
import { isLegalName, resources } from '../../lib/kubernetes/resources.ts';
import { exitCodes } from '../exit-codes.ts';
import { sentenceOf } from '../move/progress.ts';
import type { ClaimWithCapacity } from '../objects/claims.ts';
import { tellEnd } from '../objects/end.ts';
import { follow } from '../objects/follow.ts';
import { create, read } from '../objects/objects.ts';
import { ifAllowed, refuseUnserved } from '../objects/refusals.ts';
import { inCluster, type Work } from '../objects/work.ts';
import { objectsText, telling, type WriteOptions } from '../objects/write-options.ts';
import { acceptWords, type Fit, fitOf } from '../offer/accept-words.ts';
import { acceptAnnotation, statusAnnotation } from '../offer/annotations.ts';
import { claimProgress, conditionOf, transferCondition } from '../offer/progress.ts';
import { nameOfKind, namespaceName, objectName } from '../parse/names.ts';
import { UsageError } from '../parse/usage-error.ts';
import { shellLine } from '../terminal/shell-line.ts';
import { type Acceptance, acceptingClaim } from './accepting-claim.ts';

export interface AcceptOptions extends WriteOptions {
  from: string;
  toName?: string;
  size?: string;
  class?: string;
  accessMode?: readonly string[];
  volumeMode?: 'Filesystem' | 'Block';
  attributesClass?: string;
  wait?: boolean;
  timeout?: number;
}

const { claim: claims } = resources;
const defaultTimeoutMs = 600_000;

export async function accept(text: string, options: AcceptOptions): Promise<void> {
  const claim = nameOfKind(claims, text);
  const from = namespaceName('--from', options.from);
  const toName = objectName('--to-name', options.toName ?? claim);
  if (options.size !== undefined && amountOf(options.size) === undefined) {
    throw new UsageError(`--size must be a quantity such as 10Gi, but is ${options.size}`);
  }
  await inCluster(options, (work) => acceptIn(work, { namespace: work.namespace, from, claim, toName }, options));
}

/** In the cluster that the work is in. */
export async function acceptIn(work: Work, places: Acceptance, options: AcceptOptions): Promise<number> {
  const { namespace, toName, from, claim } = places;
  if (`${namespace}/${toName}` === `${from}/${claim}`) throw new UsageError('a claim cannot accept itself: give -n');
  const user = telling(work.user, options);
  const what = `claim ${namespace}/${toName}`;
  const before = await read(work, claims, namespace, toName);
  if (before && before.metadata.annotations?.[acceptAnnotation] !== `${from}/${claim}`) {
    throw new Error(`${what} exists already, and does not accept ${from}/${claim}: give another name with --to-name`);
  }
  // A claim that accepts is held for Longshore, and would wait for ever without it.
  await refuseUnserved(work, resources.transferRequest);
  const fit = before ? fitOf(before) : await fitFor(work, places, options);
  const wanted = acceptingClaim(places, fit);
  const made = before ?? (await create(work, claims, wanted, options.dryRun));
  if (!made) throw new Error(`somebody else has just created ${what}: look at it, and try again`);
  if (options.output) work.user.tell(objectsText([options.dryRun ? wanted : made], options.output), true);
  const how = before ? 'accepts it already' : options.dryRun ? 'would be created (dry run)' : 'created';
  user.tell(
    `${what} ${how}. It gets the volume of ${from}/${claim} when the owner of that one has offered and deleted it.`,
  );
  if (options.dryRun || !options.wait) return exitCodes.done;
  const again = shellLine([...acceptWords({ from, claim, namespace, toName }, fit), '--wait', ...work.reach]);
  const source = `${from}/${claim}`;
  return untilBound(work, user, { made, what, source, again, timeoutMs: options.timeout ?? defaultTimeoutMs });
}

/** What was typed counts; the rest is as the offered claim has it, if it may be read. */
async function fitFor({ api }: Work, { from, claim }: Acceptance, options: AcceptOptions): Promise<Fit> {
  const path = `/api/v1/namespaces/${from}/persistentvolumeclaims/${claim}`;
  const isComplete = options.size !== undefined && options.class !== undefined && options.accessMode !== undefined;
  const source = isComplete ? undefined : await ifAllowed(() => api.get<ClaimWithCapacity>(path));
  const found: Fit = source ? fitOf(source) : { accessModes: ['ReadWriteOnce'] };
  const fit = {
    size: options.size ?? found.size,
    className: options.class ?? found.className,
    accessModes: options.accessMode ?? found.accessModes,
    volumeMode: options.volumeMode ?? found.volumeMode,
    attributesClass: options.attributesClass ?? found.attributesClass,
  };
  if (fit.size === undefined) {
    throw new UsageError(
      `claim ${from}/${claim} cannot be read: say with --size, --class and --access-mode what its volume has. Whoever runs 'longshore offer' gets the whole line`,
    );
  }
  if (fit.className && !isLegalName(fit.className))
    throw new UsageError(`--class must be a name, but is ${fit.className}`);
  return fit;
}

interface Following {
  made: Claim;
  what: string;
  source: string;
  again: string;
  timeoutMs: number;
}

async function untilBound(
  work: Work,
  user: Work['user'],
  { made, what, source, again, timeoutMs }: Following,
): Promise<number> {
  const { namespace = '', name, uid } = made.metadata;
  let seen: Claim | undefined;
  const isOver = ({ metadata }: Claim) => metadata.annotations?.[statusAnnotation] === 'complete';
  const found = `the volume is offered and fits: it comes when the owner of claim ${source} deletes that`;
  const shows = ({ metadata }: Claim) => (metadata.annotations?.[statusAnnotation] === 'pending' ? found : undefined);
  const { ending } = await follow(user, timeoutMs, async () => {
    seen = await read(work, claims, namespace, name);
    return claimProgress(seen, { type: transferCondition, what, uid, isOver, shows });
  });
  const said = seen && conditionOf(seen, transferCondition);
  return tellEnd(user, ending, {
    over: `${what} has the volume.`,
    stays: what,
    again,
    waitsFor: said && sentenceOf(said),
  });
}
