import type { RunOptions } from '../../lib/recovery/replay/run.ts';
import { defaultRate, maxRate } from '../../lib/recovery/replay/spec.ts';
import { deploymentOptions, deploymentUsage } from '../deployment.ts';
import { readKind } from '../kind.ts';
import { readCount, readOptions, readTime } from '../parse/options.ts';
import { UsageError } from '../parse/usage-error.ts';

export const usage = `replay --from <time> [options]
       longshore replay --resume <run id> [options]

Sends messages of a time range from the archive to their queues again.

${deploymentUsage}
  --from <time>                  start: such as 2026-11-19T03:00Z, or 6h for six hours ago
  --to <time>                    end, in the same form (default: now)
  --cluster <name>               only messages for objects in this cluster (default: all that the deployment serves)
  --kind <kind> --namespace <namespace> --name <name>
                                 only messages for these objects
  --function <function>          only messages to this function
  --once-per-key                 only the first of several messages about the same object
  --rate <n>                     messages per second: 1-${maxRate} (default ${defaultRate}); if the functions are slower,
                                 current changes are delayed
  --dry-run                      read and count, but send nothing
  --archive <bucket>             archive of an earlier deployment (default: the deployment's own)
  --skip-damaged                 skip and report damaged parts of the archive
  --resume <run id>              continue an interrupted run

Examples:
  longshore replay --from 6h --dry-run --stage production
  longshore replay --from 2026-11-19T03:00Z --to 2026-11-19T05:00Z --cluster main --stage production`;

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
  throw new UsageError(`--${other} cannot be used with --resume: a resumed run replays what it began with`);
}

type Options = ReturnType<typeof readOptions<typeof described>>;

function beginningFrom(options: Options, now: Date): RunOptions['begin'] {
  if (options.from === undefined) throw new UsageError('no start given: use --from, such as --from 6h, or --resume');
  const from = readTime('from', options.from, now);
  const to = options.to === undefined ? now : readTime('to', options.to, now);
  if (from >= to) throw new UsageError('--from must be before --to');
  const { cluster, kind, namespace, name, function: functionName } = options;
  for (const [option, value] of Object.entries({ cluster, namespace, name, function: functionName })) {
    if (value === '') throw new UsageError(`--${option} must not be empty`);
  }
  const filter = {
    ...(functionName === undefined ? {} : { function: functionName }),
    ...(kind === undefined ? {} : { kind: readKind(kind).kind }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
  };
  return { from, to, cluster, filter, oncePerKey: options['once-per-key'] ?? false };
}
