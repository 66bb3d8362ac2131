import { type CapabilityName, capabilityNames } from '../../lib/capabilities/names.ts';
import { readAddress, type StatusAddress } from '../forward-status.ts';
import { maxLeaseSeconds, minLeaseSeconds } from '../lease-seconds.ts';
import { readCount, readOptions } from '../options.ts';
import { UsageError } from '../usage-error.ts';
import type { Given } from './clusters.ts';

const logForms = ['json', 'text'] as const;
export type LogForm = (typeof logForms)[number];

export interface Options {
  clusters: Given;
  capabilities: readonly CapabilityName[];
  identity: string | undefined;
  drivers: string | undefined;
  status: StatusAddress | undefined;
  leaseSeconds: number | undefined;
  log: LogForm;
}

export function readRunOptions(given: string[], isTerminal: boolean): Options {
  const values = readOptions(given, {
    context: { type: 'string', multiple: true },
    cluster: { type: 'string' },
    kubeconfig: { type: 'string' },
    capabilities: { type: 'string' },
    identity: { type: 'string' },
    drivers: { type: 'string' },
    metrics: { type: 'string' },
    'lease-seconds': { type: 'string' },
    log: { type: 'string' },
  });
  const { context: contexts = [], cluster, kubeconfig, identity, drivers, metrics, 'lease-seconds': seconds } = values;
  const log = values.log ?? (isTerminal ? 'text' : 'json');
  if (!isOneOf(logForms, log)) throw new UsageError(`--log must be json or text, but is ${log}`);
  return {
    clusters: { contexts: [...new Set(contexts)], cluster, kubeconfig },
    capabilities: capabilitiesFrom(values.capabilities),
    identity,
    drivers,
    status: readAddress('metrics', metrics),
    leaseSeconds:
      seconds === undefined ? undefined : readCount('lease-seconds', seconds, minLeaseSeconds, maxLeaseSeconds),
    log,
  };
}

function capabilitiesFrom(text: string | undefined): readonly CapabilityName[] {
  if (text === undefined) return capabilityNames;
  const names = text.split(',').map((each) => each.trim());
  const chosen = capabilityNames.filter((each) => names.includes(each));
  const unknown = names.find((each) => !isOneOf(capabilityNames, each));
  if (unknown === undefined) return chosen;
  throw new UsageError(
    `--capabilities must be some of ${capabilityNames.join(',')}, but has ${JSON.stringify(unknown)}`,
  );
}

function isOneOf<const Value extends string>(values: readonly Value[], text: string): text is Value {
  return values.some((each) => each === text);
}
