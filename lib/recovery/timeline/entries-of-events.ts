import type { Uid } from '../../kubernetes/brands.ts';
import type { KubernetesEvent } from '../../kubernetes/objects.ts';
import type { ObjectName } from '../../kubernetes/resources.ts';
import { type Entry, formatTimestamp, timestampFrom } from './timeline-entry.ts';

/** Events about an object, or about an earlier one of the same name. */
export function entriesOfEvents(object: ObjectName, uid: Uid | undefined, events: readonly KubernetesEvent[]): Entry[] {
  return events.flatMap((event) => {
    const { series, eventTime, regarding, type = '', reason = '', note = '', metadata } = event;
    const first = eventTime ?? event.deprecatedFirstTimestamp ?? metadata.creationTimestamp;
    const at = timestampFrom(series?.lastObservedTime ?? event.deprecatedLastTimestamp ?? first);
    if (!at) return [];
    const count = series?.count ?? event.deprecatedCount ?? 1;
    const by = event.reportingController || event.deprecatedSource?.component;
    const times = count > 1 ? ` (${count} times since ${sinceOf(first)})` : '';
    const isOther = uid !== undefined && regarding?.uid !== undefined && regarding.uid !== uid;
    const other = isOther ? ', of another object of this name' : '';
    const what = `${type} ${reason}${times}${other}${note ? `: ${note}` : ''}`;
    const details = { type, reason, note, count, by, uid: regarding?.uid };
    return [{ at, source: 'event' as const, object, what, details, isReaction: true }];
  });
}

function sinceOf(text: string | undefined): string {
  const first = timestampFrom(text);
  return first ? formatTimestamp(first) : 'some time';
}
