import { withCluster } from '../connect/options.ts';
import type { Define } from '../define.ts';
import { timeoutOption } from '../parse/duration.ts';
import { outputOption } from '../terminal/output.ts';

/** Shows on a user's own cluster what Longshore does. */
export const defineDemo: Define = (command) =>
  withCluster(command)
    .description(
      `Shows on your cluster what Longshore does: moves a claim to another namespace and back, restores a snapshot in \
another namespace, and creates a bucket. Uses two namespaces of its own, and removes everything that it has created, also \
after a failure or Ctrl-C. Longshore must be installed and running.`,
    )
    .option('--storage-class <name>', "StorageClass of the claim (default: the cluster's default class)")
    .option('--snapshot-class <name>', "VolumeSnapshotClass of its driver (default: the driver's default, or only one)")
    .option('--bucket-class <name>', 'BucketClass (default: the only one that creates buckets and deletes them)')
    .option('--node <name>', 'node for the volumes of a class that waits for a pod (default: one that is ready)')
    .option('--size <quantity>', 'size of the claim (default: 1Gi)')
    .addOption(timeoutOption('5m'))
    .option('--keep', 'leave everything there, to look around')
    .option('--cleanup [demo]', 'only remove what earlier demos have left, or this one')
    .option('-y, --yes', 'with --cleanup, do not ask')
    .addOption(outputOption('json'))
    .addHelpText(
      'after',
      `
Examples:
  longshore demo --context staging
  longshore demo --storage-class standard --keep
  longshore demo --cleanup
  longshore demo --cleanup k7wq2`,
    )
    .action(async (options) => (await import('./demo.ts')).demo(options));
