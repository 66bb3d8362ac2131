import type { ForwardingState } from '../lib/forwarder/forwarding-state.ts';
import { type Stats, statsOf } from '../lib/forwarder/stats.ts';
import type { Clock } from '../lib/runtime/clock.ts';

interface Metric {
  name: string;
  type: 'gauge' | 'counter';
  help: string;
  of: (stats: Stats) => number;
}

const metrics: Metric[] = [
  {
    name: 'lag_seconds',
    type: 'gauge',
    help: 'Age of the oldest change that its queue has not accepted, or time since the API server last answered if that is overdue.',
    of: ({ lagSeconds }) => lagSeconds,
  },
  {
    name: 'checkpoint_age_seconds',
    type: 'gauge',
    help: 'Time since the checkpoint was written to the cluster.',
    of: ({ checkpointAgeSeconds }) => checkpointAgeSeconds,
  },
  { name: 'waiting', type: 'gauge', help: 'Keys that wait to be sent.', of: ({ waiting }) => waiting },
  {
    name: 'held',
    type: 'gauge',
    help: 'Waiting keys that wait for the turn of their namespace.',
    of: ({ held }) => held,
  },
  { name: 'in_flight', type: 'gauge', help: 'Messages on their way to a queue.', of: ({ inFlight }) => inFlight },
  {
    name: 'unfinished',
    type: 'gauge',
    help: 'Objects with unfinished work, which are sent again each minute.',
    of: ({ unfinished }) => unfinished,
  },
  {
    name: 'unarchived_bytes',
    type: 'gauge',
    help: 'Bytes of sent messages that are not in the archive yet.',
    of: ({ unarchivedBytes }) => unarchivedBytes,
  },
  { name: 'volumes', type: 'gauge', help: 'Volumes in the cluster.', of: ({ volumes }) => volumes },
  {
    name: 'volumes_kept',
    type: 'gauge',
    help: 'Volumes that transfers have left, and that wait for someone to decide.',
    of: ({ keptVolumes }) => keptVolumes,
  },
  { name: 'sent_total', type: 'counter', help: 'Messages that a queue has accepted.', of: ({ sent }) => sent },
  {
    name: 'coalesced_total',
    type: 'counter',
    help: 'Changes that the message of a later change covered.',
    of: ({ coalesced }) => coalesced,
  },
  {
    name: 'retried_total',
    type: 'counter',
    help: 'Messages that a queue did not accept, and that were sent again.',
    of: ({ retried }) => retried,
  },
  {
    name: 'deferred_total',
    type: 'counter',
    help: 'Messages that were left to the slow lane, because too many wait for what has changed.',
    of: ({ deferred }) => deferred,
  },
  { name: 'lists_total', type: 'counter', help: 'How often everything was listed.', of: ({ lists }) => lists },
  {
    name: 'watch_failures_total',
    type: 'counter',
    help: 'How often a watch failed.',
    of: ({ watchFailures }) => watchFailures,
  },
];

/** Metrics for Prometheus. Counters restart with each term, as with each start of a process. */
export function prometheusText(states: ReadonlyMap<string, ForwardingState>, clock: Clock): string {
  const leading = [...states].map(([cluster, { lead }]) => ({
    label: `{cluster=${quoted(cluster)}}`,
    term: lead?.term,
  }));
  const lines = ['# HELP longshore_forwarder_leading Whether this process is the active forwarder.'];
  lines.push('# TYPE longshore_forwarder_leading gauge');
  for (const { label, term } of leading) lines.push(`longshore_forwarder_leading${label} ${term ? 1 : 0}`);
  const stats = leading.flatMap(({ label, term }) => (term ? [{ label, stats: statsOf(term, clock) }] : []));
  for (const { name, type, help, of } of metrics) {
    lines.push(`# HELP longshore_forwarder_${name} ${help}`, `# TYPE longshore_forwarder_${name} ${type}`);
    for (const each of stats) lines.push(`longshore_forwarder_${name}${each.label} ${of(each.stats)}`);
  }
  return `${lines.join('\n')}\n`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
