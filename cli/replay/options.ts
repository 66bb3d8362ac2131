import type { RunOptions } from '../../lib/recovery/replay/run.ts';
import { defaultRate, maxRate } from '../../lib/recovery/replay/wish.ts';
import { deploymentOptions, deploymentUsage } from '../deployment.ts';
import { readKind } from '../kind.ts';
import { readCount, readMoment, readOptions } from '../options.ts';
import { UsageError } from '../usage-error.ts';

export const usage = `replay --from <moment>           puts what was sent onto its queues again, from the archive
${deploymentUsage}
          --from, --to <moment>          such as 2026-11-19T03:00Z, or so long ago as 6h; the end is now
          --cluster <name>               of all in the archive that the deployment serves
          --kind, --namespace, --name    only what is about such objects
          --function <function>          only what was sent to this one
          --once-per-key                 of several messages about the same, only the first
          --rate <messages a second>     1 to ${maxRate}, of ${defaultRate}: more than the functions work off holds up what changes now
          --dry-run                      reads and counts, and sends nothing
          --archive <bucket>             one that a former deployment has left; that of the deployment
          --skip-damaged                 leaves out what of the archive cannot be read, and says so
          --resume <run id>              goes on with a run that was interrupted`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const begins = {
  from: text,
  to: text,
  cluster: text,
  kind: text,
  namespace: text,
  name: text,
  function: text,
  'once-per-key': flag,
  'dry-run': flag,
} as const;
const described = {
  ...deploymentOptions,
  ...begins,
  rate: text,
  archive: text,
  'skip-damaged': flag,
  resume: text,
} as const;

export interface Called extends RunOptions {
  stage?: string | undefined;
  stack?: string | undefined;
  /** Another bucket than the deployment's. */
  archive?: string | undefined;
}

/** What was asked for, checked before anything is asked of anybody. */
export function optionsFrom(given: string[], now: Date): Called {
  const options = readOptions(given, described);
  const { stage, stack, archive, resume, rate } = options;
  const how = {
    stage,
    stack,
    archive,
    ratePerSecond: rate === undefined ? defaultRate : readCount('rate', rate, 1, maxRate),
    skipDamaged: options['skip-damaged'] ?? false,
    isDryRun: options['dry-run'] ?? false,
  };
  if (resume === undefined) return { ...how, begin: beginningFrom(options, now) };
  const other = Object.keys(begins).find((name) => options[name as keyof typeof begins] !== undefined);
  if (other === undefined) return { ...how, begin: { resume } };
  throw new UsageError(`--${other} goes without --resume: a run that goes on replays what it began with`);
}

type Options = ReturnType<typeof readOptions<typeof described>>;

function beginningFrom(options: Options, now: Date): RunOptions['begin'] {
  if (options.from === undefined) throw new UsageError('from when on? Give --from, such as --from 6h, or --resume');
  const from = readMoment('from', options.from, now);
  const to = options.to === undefined ? now : readMoment('to', options.to, now);
  if (from >= to) throw new UsageError('--from must be before --to');
  const { cluster, kind, namespace, name, function: functionName } = options;
  for (const [option, value] of Object.entries({ cluster, namespace, name, function: functionName })) {
    if (value === '') throw new UsageError(`--${option} is empty`);
  }
  const filter = {
    ...(functionName === undefined ? {} : { function: functionName }),
    ...(kind === undefined ? {} : { kind: readKind(kind).kind }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
  };
  return { from, to, cluster, filter, oncePerKey: options['once-per-key'] ?? false };
}
