import { kindNamed } from '../../lib/kubernetes/kind-names.ts';
import type { TransferApproval, TransferRequest } from '../../lib/kubernetes/objects.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { exitCodes } from '../exit-codes.ts';
import { isOnItsWay } from '../move/progress.ts';
import { annotate, read, remove } from '../objects/objects.ts';
import { missing } from '../objects/refusals.ts';
import { inCluster, type Work } from '../objects/work.ts';
import { objectsText, telling, type WriteOptions } from '../objects/write-options.ts';
import { offerAnnotation } from '../offer/annotations.ts';
import { objectName, partsOf } from '../parse/names.ts';
import { UsageError } from '../parse/usage-error.ts';
import { printable } from '../terminal/printable.ts';

const { transferRequest, transferApproval, claim: claims } = resources;

export async function cancel(text: string, options: WriteOptions): Promise<void> {
  const { kind = '', name = '' } = partsOf(text);
  const isOffer = kind === 'offer';
  const resource = isOffer ? claims : kindNamed(kind);
  if (!isOffer && resource !== transferRequest && resource !== transferApproval) {
    throw new UsageError(
      `${JSON.stringify(text)} cannot be withdrawn: write streq/<name>, stappr/<name> or offer/<claim>`,
    );
  }
  const checked = objectName('the name', name);
  await inCluster(options, (work) =>
    isOffer ? cancelOffer(work, checked, options) : cancelObject(work, resource as Resource<Either>, checked, options),
  );
}

type Either = TransferRequest | TransferApproval;

export async function cancelObject(work: Work, resource: Resource<Either>, name: string, options: WriteOptions) {
  const { namespace } = work;
  const user = telling(work.user, options);
  const what = `${resource.kind} ${namespace}/${name}`;
  const found = await read(work, resource, namespace, name);
  if (!found) throw missing(what);
  const { status, metadata } = found;
  if (status?.complete)
    throw new Error(`too late: the transfer of ${what} is complete. The claim is where it was to go`);
  if (isOnItsWay(found)) throw new Error(`too late: the volume of ${what} is on its way, and the transfer is finished`);
  if (metadata.deletionTimestamp) throw new Error(`${what} is being withdrawn already`);
  if (options.output) work.user.tell(objectsText([found], options.output), true);
  await remove(work, resource, found, options.dryRun);
  user.tell(
    options.dryRun
      ? `${what} would be deleted (dry run).`
      : `${what} deleted. What the transfer had begun is undone, and the claim stays with its owner.`,
  );
  return exitCodes.done;
}

/** Only an offer: a claim that has been deleted with an offer on it cannot be kept by withdrawing that. */
export async function cancelOffer(work: Work, name: string, options: WriteOptions): Promise<number> {
  const { namespace } = work;
  const user = telling(work.user, options);
  const what = `claim ${namespace}/${name}`;
  const claim = await read(work, claims, namespace, name);
  if (!claim) throw new Error(`${missing(what).message}. If it has been deleted, it is too late`);
  const offered = claim.metadata.annotations?.[offerAnnotation];
  if (offered === undefined) throw new Error(`${what} is not offered to anybody: nothing was withdrawn`);
  if (claim.metadata.deletionTimestamp) {
    throw new Error(
      `too late: ${what} has been deleted, and goes as soon as ${printable(offered)} has its volume. To have the volume yourself, offer it to a claim of your own: longshore offer pvc/${name} --to ${namespace}/<new claim> --redirect`,
    );
  }
  const changed = await annotate(work, claims, claim, { [offerAnnotation]: null }, options.dryRun);
  if (options.output) work.user.tell(objectsText([changed], options.output), true);
  user.tell(
    options.dryRun
      ? `${what} would not be offered any more (dry run).`
      : `${what} is not offered to ${printable(offered)} any more. It stays as it is, with its volume.`,
  );
  return exitCodes.done;
}
