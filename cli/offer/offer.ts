import type { Claim } from '../../lib/kubernetes/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { exitCodes } from '../exit-codes.ts';
import { sentenceOf } from '../move/progress.ts';
import { type ClaimWithCapacity, describeClaim, refuseGoing } from '../objects/claims.ts';
import { tellEnd } from '../objects/end.ts';
import { follow } from '../objects/follow.ts';
import { annotate, read } from '../objects/objects.ts';
import { missing, refuseUnserved, tryOut } from '../objects/refusals.ts';
import { inCluster, type Work } from '../objects/work.ts';
import { objectsText, telling, type WriteOptions } from '../objects/write-options.ts';
import { nameOfKind, namespaceName, objectName, partsOf } from '../parse/names.ts';
import { UsageError } from '../parse/usage-error.ts';
import { printable } from '../terminal/printable.ts';
import { shellLine } from '../terminal/shell-line.ts';
import { acceptWords, fitOf } from './accept-words.ts';
import { isSafeToDelete, offerAnnotation } from './annotations.ts';
import { claimProgress, conditionOf, transferCondition } from './progress.ts';

export interface OfferOptions extends WriteOptions {
  to: string;
  redirect?: true;
  yes?: true;
  timeout?: number;
  wait?: boolean;
}

interface Places {
  claim: string;
  /** Of the claim that is to get the volume. */
  toNamespace: string;
  toName: string;
}

const { claim: claims } = resources;
const defaultTimeoutMs = 60_000;

export async function offer(text: string, options: OfferOptions): Promise<void> {
  const claim = nameOfKind(claims, text);
  const { kind: namespace = options.to, name = claim } = partsOf(options.to);
  const places = { claim, toNamespace: namespaceName('--to', namespace), toName: objectName('--to', name) };
  await inCluster(options, (work) => offerIn(work, places, options));
}

/** In the cluster that the work is in. */
export async function offerIn(work: Work, places: Places, options: OfferOptions): Promise<number> {
  const { namespace } = work;
  const { claim: name, toNamespace, toName } = places;
  const user = telling(work.user, options);
  const [what, destination] = [`claim ${namespace}/${name}`, `${toNamespace}/${toName}`];
  if (destination === `${namespace}/${name}`) throw new UsageError('a claim cannot be offered to itself: give --to');
  const claim = await read(work, claims, namespace, name);
  if (!claim) throw missing(what);
  const offered = claim.metadata.annotations?.[offerAnnotation];
  if (offered !== destination) {
    refuseToOffer(claim, offered, options, what);
    // Nobody would take note of it there, and nothing would keep the volume.
    await refuseUnserved(work, resources.transferRequest);
    if (!(await isConsented(work, claim, destination, options))) {
      user.remark('Nothing was offered. To offer without being asked, use --yes.');
      return user.stopped.aborted ? exitCodes.interrupted : exitCodes.failed;
    }
  }
  const isNew = offered !== destination;
  const changed = isNew
    ? await annotate(work, claims, claim, { [offerAnnotation]: destination }, options.dryRun)
    : claim;
  if (options.output)
    work.user.tell(objectsText([options.dryRun ? manifestOf(claim, destination) : changed], options.output), true);
  if (options.dryRun) {
    user.tell(`${what} ${isNew ? `would be offered to claim ${destination} (dry run)` : 'is offered to it already'}.`);
    return exitCodes.done;
  }
  user.tell(`${what} is ${isNew ? '' : 'already '}offered to claim ${destination}. Its owner accepts it with this line:

  ${shellLine(acceptWords({ from: namespace, claim: name, namespace: toNamespace, toName }, fitOf(claim)))}
`);
  if (!options.wait) return exitCodes.done;
  return untilSafe(work, user, { claim: changed, places, timeoutMs: options.timeout ?? defaultTimeoutMs });
}

function refuseToOffer(claim: Claim, offered: string | undefined, { redirect }: OfferOptions, what: string): void {
  if (offered === undefined) refuseGoing(claim);
  else if (!redirect) {
    throw new Error(
      `${what} is offered to ${printable(offered)} already: use --redirect to offer it to the other one instead`,
    );
  }
}

async function isConsented(work: Work, claim: ClaimWithCapacity, destination: string, { yes, dryRun }: OfferOptions) {
  if (dryRun) return true;
  // Whoever may not do it is told so before the question.
  await tryOut(annotate(work, claims, claim, { [offerAnnotation]: destination }, true));
  const question = `This offers a claim with all of its data:
${(await describeClaim(work, claim)).join('\n')}
  goes to: claim ${destination}, as soon as you delete the claim of your namespace`;
  if (!yes) return work.user.confirm(question, `give ${claim.metadata.name}`);
  work.user.remark(question);
  return true;
}

/** What is to be merged into the claim, for those who keep their claims in files. */
function manifestOf({ apiVersion, kind, metadata, spec }: Claim, destination: string): Claim {
  const { namespace = '', name } = metadata;
  return { apiVersion, kind, metadata: { namespace, name, annotations: { [offerAnnotation]: destination } }, spec };
}

interface Following {
  claim: Claim;
  places: Places;
  timeoutMs: number;
}

/** An offered claim must not be deleted before its volume is safe, and its owner wants to know when that is. */
async function untilSafe(work: Work, user: Work['user'], { claim, places, timeoutMs }: Following): Promise<number> {
  const { namespace } = work;
  const { claim: name, toNamespace, toName } = places;
  const what = `claim ${namespace}/${name}`;
  let seen: Claim | undefined;
  // The mark alone may be from a backup: only with the fence the volume outlives the claim.
  const isOver = (claim: Claim) => isSafeToDelete(claim);
  const { ending } = await follow(user, timeoutMs, async () => {
    seen = await read(work, claims, namespace, name);
    return claimProgress(seen, { type: transferCondition, what, uid: claim.metadata.uid, isOver });
  });
  const said = seen && conditionOf(seen, transferCondition);
  const removal = shellLine(['kubectl', 'delete', `pvc/${name}`, '-n', namespace, ...work.reach]);
  return tellEnd(user, ending, {
    over: `The volume is safe. When the claim is not needed here any more, give it away with:\n\n  ${removal}`,
    stays: `The offer of ${what}`,
    again: shellLine([
      'longshore',
      'offer',
      `pvc/${name}`,
      '--to',
      `${toNamespace}/${toName}`,
      '-n',
      namespace,
      ...work.reach,
    ]),
    withdraw: shellLine(['longshore', 'cancel', `offer/${name}`, '-n', namespace, ...work.reach]),
    waitsFor: said && sentenceOf(said),
  });
}
