import { Option } from '@commander-js/extra-typings';
import { capabilityNames } from '../../lib/capabilities/names.ts';
import type { Define } from '../define.ts';
import { readAddress } from '../forward-status.ts';
import { maxLeaseSeconds, minLeaseSeconds } from '../lease-bounds.ts';
import { seconds } from '../parse/duration.ts';
import { repeated, someOf, wholeNumber } from '../parse/values.ts';
import { maxMegabytes, minMegabytes } from './memory.ts';

/** Longshore in one process, without AWS. */
export const defineRun: Define = (command) =>
  command
    .description(
      `Runs Longshore in this process until it is stopped. It needs neither AWS nor a disk. For high availability, start it \
several times: one process is active per cluster, and another one takes over when it ends.`,
    )
    .option('--kubeconfig <path>', "kubeconfig (default: as kubectl finds it, or the Pod's service account)")
    .option(
      '--context <name>',
      'context of the kubeconfig; repeat it for several clusters (default: the current one)',
      repeated,
    )
    .option(
      '--cluster <name>',
      `name of this cluster in logs, metrics and tags of buckets (default: the name of the context, \
or in-cluster). Choose it before the first bucket is created, and keep it: buckets with another name in their tags are treated as those of another cluster`,
    )
    .option(
      '--capabilities <names>',
      `some of ${capabilityNames.join(',')}, separated by commas (default: all)`,
      someOf('--capabilities', capabilityNames),
    )
    .option(
      '--identity <name>',
      'name of the lease: of all processes with the same identity, one is active (default: LONGSHORE_IDENTITY, or longshore)',
    )
    .option('--drivers <json>', 'configuration of the bucket drivers (default: LONGSHORE_DRIVERS, or none)')
    .option('--metrics <address:port>', 'serve /metrics, /healthz and /readyz at this address', (text: string) =>
      readAddress('metrics', text),
    )
    .option(
      '--admission <address:port>',
      'serve the mutating admission webhook at this address, for clusters before Kubernetes 1.36',
      (text: string) => readAddress('admission', text),
    )
    .option('--admission-certificate <path>', 'certificate of the webhook, in PEM; reloaded when the file changes')
    .option('--admission-key <path>', 'private key of the webhook, in PEM')
    .option(
      '--lease-seconds <n>',
      `how long after the active process dies another one takes over: ${minLeaseSeconds}-${maxLeaseSeconds} (default: 15)`,
      seconds('--lease-seconds', { min: minLeaseSeconds, max: maxLeaseSeconds }),
    )
    .option(
      '--memory <MB>',
      'memory budget of the process in MB (default: the limit of its container, at most 512)',
      wholeNumber('--memory', minMegabytes, maxMegabytes),
    )
    .addOption(
      new Option('--log <form>', 'format of the log (default: text on a terminal, json otherwise)').choices([
        'json',
        'text',
      ] as const),
    )
    .addHelpText(
      'after',
      '\nExample:\n  longshore run --context staging --capabilities transfers,data-sources --metrics 127.0.0.1:9464',
    )
    .action(async (options) => (await import('./run.ts')).runUntilStopped(options));
