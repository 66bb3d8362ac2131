import type { Claim } from '../../lib/kubernetes/objects.ts';
import { amountOf } from '../../lib/kubernetes/quantity.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { exitCodes } from '../exit-codes.ts';
import { sentenceOf } from '../move/progress.ts';
import { tellEnd } from '../objects/end.ts';
import { follow, type Progress } from '../objects/follow.ts';
import { read } from '../objects/objects.ts';
import { inCluster, type Work } from '../objects/work.ts';
import { objectsText, telling, type WriteOptions } from '../objects/write-options.ts';
import { claimProgress, conditionOf } from '../offer/progress.ts';
import { namespaceName, objectName } from '../parse/names.ts';
import { UsageError } from '../parse/usage-error.ts';
import { shellLine } from '../terminal/shell-line.ts';
import { grantText, grantVersion } from './grant.ts';
import { createMissing } from './make.ts';
import { claimFor, linkFor, type Restore } from './restore-objects.ts';
import { sizeFor, type Wanted } from './size.ts';

export interface RestoreOptions extends WriteOptions {
  from: string;
  toName: string;
  size?: string;
  class?: string;
  accessMode?: readonly string[];
  volumeMode?: 'Filesystem' | 'Block';
  timeout?: number;
  wait?: boolean;
}

const { claim: claims } = resources;
const defaultTimeoutMs = 600_000;
const dataCondition = 'DataPopulated';
/** What the claim asks for can never work, and it cannot be changed. */
const hopeless = [
  ...['SourceInvalid', 'OtherDriver', 'SecretsNamedAfterClaim', 'ClaimTooSmall', 'IgnoredByProvisioner'],
  ...['VolumeTooSmall', 'OtherVolumeMatches', 'BoundToOtherVolume', 'VolumeLost', 'ReferenceDropped'],
];

export async function restore(text: string, options: RestoreOptions): Promise<void> {
  if (options.size !== undefined && amountOf(options.size) === undefined) {
    throw new UsageError(`--size must be a quantity such as 10Gi, but is ${options.size}`);
  }
  const wanted = {
    from: namespaceName('--from', options.from),
    snapshot: objectName('the snapshot', text),
    toName: objectName('--to-name', options.toName),
    size: options.size,
    className: options.class === undefined ? undefined : objectName('--class', options.class),
    accessModes: options.accessMode ?? ['ReadWriteOnce'],
    volumeMode: options.volumeMode,
  };
  await inCluster(options, (work) => restoreIn(work, { ...wanted, namespace: work.namespace }, options));
}

/** In the cluster that the work is in. */
export async function restoreIn(work: Work, wanted: Wanted, options: RestoreOptions): Promise<number> {
  const user = telling(work.user, options);
  const { namespace, from, snapshot, toName } = wanted;
  const what = `claim ${namespace}/${toName}`;
  const before = await read(work, claims, namespace, toName);
  const whole: Restore = { ...wanted, size: await sizeFor(work, wanted, before) };
  const [link, claim] = [linkFor(whole), claimFor(whole)];
  const made = await createMissing(work, { link, claim, before }, options.dryRun === true);
  if (options.output)
    work.user.tell(objectsText(options.dryRun ? [link, claim] : [made.link, made.claim], options.output), true);
  const how = options.dryRun ? 'would be created (dry run)' : made.isNew ? 'created' : 'is there already';
  user.tell(
    `${what} ${how}, for the data of VolumeSnapshot ${from}/${snapshot} by VolumeSnapshotLink ${link.metadata.name}.`,
  );
  if (from !== namespace) user.tell(grantText(whole, await grantVersion(work)));
  if (options.dryRun || !options.wait) return exitCodes.done;
  let seen: Claim | undefined;
  const { ending } = await follow(user, options.timeout ?? defaultTimeoutMs, async () => {
    seen = await read(work, claims, namespace, toName);
    return dataProgress(seen, what, made.claim.metadata.uid);
  });
  const said = seen && conditionOf(seen, dataCondition);
  return tellEnd(user, ending, {
    over: `${what} has the data of VolumeSnapshot ${from}/${snapshot}.`,
    stays: what,
    again: shellLine([...wordsAgain(whole), '-n', namespace, ...work.reach]),
    waitsFor: said && sentenceOf(said),
  });
}

/** How far the data of a claim has come. */
export function dataProgress(seen: Claim | undefined, what: string, uid: string | undefined): Progress {
  const isOver = (found: Claim) => conditionOf(found, dataCondition)?.status === 'True';
  const progress = claimProgress(seen, { type: dataCondition, what, uid, isOver });
  const said = seen && conditionOf(seen, dataCondition);
  const problem = said && said.status !== 'True' && hopeless.includes(said.reason) ? said.message : undefined;
  return { ...progress, problem: progress.problem ?? problem };
}

function wordsAgain({ snapshot, from, toName, size, className, accessModes, volumeMode }: Restore): string[] {
  return [
    ...['longshore', 'restore', snapshot, '--from', from, '--to-name', toName, '--size', size],
    ...(className === undefined ? [] : ['--class', className]),
    ...accessModes.flatMap((mode) => ['--access-mode', mode]),
    ...(volumeMode === undefined ? [] : ['--volume-mode', volumeMode]),
  ];
}
