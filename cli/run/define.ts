import { Option } from '@commander-js/extra-typings';
import { capabilityNames } from '../../lib/capabilities/names.ts';
import type { Define } from '../define.ts';
import { readAddress } from '../forward-status.ts';
import { repeated, someOf, wholeNumber } from '../parse/values.ts';
import { maxLeaseSeconds, minLeaseSeconds } from './lease-seconds.ts';
import { maxMegabytes, minMegabytes } from './memory.ts';

/** Longshore in one process, without AWS. */
export const defineRun: Define = (command) =>
  command
    .description(
      `Runs Longshore in this process, without AWS and without a disk, until it is stopped. Start it several times to have \
others stand by: one process works for a cluster at a time, and another one takes over when that one ends.`,
    )
    .option('--kubeconfig <path>', "kubeconfig (default: as kubectl finds it, or the Pod's service account)")
    .option(
      '--context <name>',
      'context of the kubeconfig; repeat it for several clusters (default: current)',
      repeated,
    )
    .option('--cluster <name>', "name of the cluster in logs, metrics and tags of buckets (default: the context's)")
    .option(
      '--capabilities <names>',
      `some of ${capabilityNames.join(',')}, separated by commas (default: all)`,
      someOf('--capabilities', capabilityNames),
    )
    .option(
      '--identity <name>',
      'processes with the same name stand by for each other (default: LONGSHORE_IDENTITY, or longshore)',
    )
    .option('--drivers <json>', 'drivers of buckets (default: LONGSHORE_DRIVERS, or none)')
    .option('--metrics <address:port>', 'serve /metrics, /healthz and /readyz at this address', (text: string) =>
      readAddress('metrics', text),
    )
    .option(
      '--admission <address:port>',
      'answer as a mutating admission webhook at this address, for clusters before Kubernetes 1.36',
      (text: string) => readAddress('admission', text),
    )
    .option('--admission-certificate <path>', 'certificate of the webhook, in PEM; read again when it is replaced')
    .option('--admission-key <path>', 'its key, in PEM')
    .option(
      '--lease-seconds <n>',
      `how soon another process takes over from one that died: ${minLeaseSeconds}-${maxLeaseSeconds} (default: 15)`,
      wholeNumber('--lease-seconds', minLeaseSeconds, maxLeaseSeconds),
    )
    .option(
      '--memory <MB>',
      'memory that the process is to be content with (default: the limit of its container, at most 512)',
      wholeNumber('--memory', minMegabytes, maxMegabytes),
    )
    .addOption(
      new Option('--log <form>', 'form of the log (default: text on a terminal, json elsewhere)').choices([
        'json',
        'text',
      ] as const),
    )
    .addHelpText(
      'after',
      '\nExample:\n  longshore run --context staging --capabilities transfers,data-sources --metrics 127.0.0.1:9464',
    )
    .action(async (options) => (await import('./run.ts')).runUntilStopped(options));
