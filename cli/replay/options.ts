import type { RunOptions } from '../../lib/recovery/replay/run.ts';
import { defaultRate } from '../../lib/recovery/replay/spec.ts';
import type { DeploymentOptions } from '../deployment-options.ts';
import { readKind } from '../kind.ts';
import { UsageError } from '../parse/usage-error.ts';
import { readTime } from '../parse/values.ts';
import type { DocumentOptions } from '../terminal/document-option.ts';

/** What only a run that begins can be told. */
interface Begins {
  from?: string;
  to?: string;
  cluster?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  function?: string;
  oncePerKey?: true;
  dryRun?: true;
}

const begins: Record<keyof Begins, string> = {
  from: '--from',
  to: '--to',
  cluster: '--cluster',
  kind: '--kind',
  namespace: '--namespace',
  name: '--name',
  function: '--function',
  oncePerKey: '--once-per-key',
  dryRun: '--dry-run',
};

export interface ReplayOptions extends DeploymentOptions, DocumentOptions, Begins {
  rate?: number;
  archive?: string;
  skipDamaged?: true;
  resume?: string;
}

export interface Called extends RunOptions, DeploymentOptions {
  /** Another bucket than the deployment's. */
  archive?: string | undefined;
}

/** What was asked for, checked before anything is asked of anybody. */
export function calledBy(options: ReplayOptions, now: Date): Called {
  const { stage, stack, archive, resume, rate = defaultRate } = options;
  const how = {
    stage,
    stack,
    archive,
    ratePerSecond: rate,
    skipDamaged: options.skipDamaged ?? false,
    isDryRun: options.dryRun ?? false,
  };
  if (resume === undefined) return { ...how, begin: beginningFrom(options, now) };
  const other = (Object.keys(begins) as (keyof Begins)[]).find((name) => options[name] !== undefined);
  if (other === undefined) return { ...how, begin: { resume } };
  throw new UsageError(`${begins[other]} cannot be used with --resume: a resumed run replays what it began with`);
}

function beginningFrom(options: ReplayOptions, now: Date): RunOptions['begin'] {
  if (options.from === undefined) throw new UsageError('no start given: use --from, such as --from 6h, or --resume');
  const from = readTime('--from', options.from, now);
  const to = options.to === undefined ? now : readTime('--to', options.to, now);
  if (from >= to) throw new UsageError('--from must be before --to');
  const { cluster, kind, namespace, name, function: functionName } = options;
  const filter = {
    ...(functionName === undefined ? {} : { function: functionName }),
    ...(kind === undefined ? {} : { kind: readKind(kind).kind }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
  };
  return { from, to, cluster, filter, oncePerKey: options.oncePerKey ?? false };
}
