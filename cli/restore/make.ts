import type { VolumeSnapshotLink } from '../../lib/capabilities/data-sources/objects.ts';
import type { Claim } from '../../lib/kubernetes/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { create, read } from '../objects/objects.ts';
import { tryOut } from '../objects/refusals.ts';
import type { Work } from '../objects/work.ts';

const { claim: claims, snapshotLink } = resources;

interface Parts {
  link: VolumeSnapshotLink;
  claim: Claim;
  /** The claim of that name that is there already. */
  before: Claim | undefined;
}

/** Creates what is not there yet. What is there must be for the same snapshot, and is left as it is. */
export async function createMissing(work: Work, { link, claim, before }: Parts, isDryRun: boolean) {
  if (before) refuseOther(before, claim);
  // Nobody is left with half of it: a claim that is refused is refused before there is a link.
  if (!before && !isDryRun) await tryOut(create(work, claims, claim, true));
  const madeLink = (await create(work, snapshotLink, link, isDryRun)) ?? (await existingLink(work, link));
  const madeClaim = before ?? (await create(work, claims, claim, isDryRun));
  if (madeClaim) return { isNew: !before, link: madeLink, claim: madeClaim };
  const { namespace, name } = claim.metadata;
  throw new Error(`somebody else has just created claim ${namespace}/${name}: look at it, and try again`);
}

function refuseOther({ metadata, spec }: Claim, wanted: Claim): void {
  const what = `claim ${metadata.namespace}/${metadata.name}`;
  const { kind, name } = spec.dataSourceRef ?? {};
  if (kind !== wanted.spec.dataSourceRef?.kind || name !== wanted.spec.dataSourceRef?.name) {
    throw new Error(`${what} exists already, and is not for this snapshot: give another name with --to-name`);
  }
  if (metadata.deletionTimestamp) throw new Error(`${what} is being deleted: run this again when it is gone`);
}

async function existingLink(work: Work, wanted: VolumeSnapshotLink): Promise<VolumeSnapshotLink> {
  const { namespace, name } = wanted.metadata;
  const found = await read(work, snapshotLink, namespace, name);
  const [has, wants] = [found?.spec.source, wanted.spec.source];
  const isSame = has?.name === wants.name && (has.namespace ?? '') === (wants.namespace ?? '');
  if (found && isSame && !found.metadata.deletionTimestamp) return found;
  throw new Error(
    `VolumeSnapshotLink ${namespace}/${name} exists already, but not for this snapshot, or is being deleted. It is left as it is`,
  );
}
