import type { ForwardingState } from '../forwarder/forwarding-state.ts';
import { formatLeaderStatus, maxFailing } from '../forwarder/leader-status.ts';
import type { NotesOfHolder } from '../forwarder/lease-hold.ts';
import { maxRequests, objectOf, parseRetryRequests } from '../forwarder/retry-requests.ts';
import { statsOf } from '../forwarder/stats.ts';
import type { ObjectName } from '../kubernetes/resources.ts';
import type { EmbeddedQueues } from '../queue/embedded/embedded-queues.ts';
import { groupIdOf, newRunId } from '../queue/identifiers.ts';
import type { FailingKey, FailingKeys } from '../reconcile/failing-keys.ts';
import type { Clock } from '../runtime/clock.ts';
import { redactedMessageOf } from '../runtime/redaction.ts';

export interface LeaseNotesOptions {
  cluster: string;
  holder: string;
  release: string;
  capabilities: readonly string[];
  state: ForwardingState;
  failing: FailingKeys;
  queues: Pick<EmbeddedQueues, 'restsUntilMs' | 'hurry'>;
  clock: Clock;
}

/** What a process writes on its lease for operators, and what it does when they ask for something there. */
export class RunLeaseNotes implements NotesOfHolder {
  private readonly options: LeaseNotesOptions;
  private retried: { id: string; messages: number }[] = [];
  private failure: { at: string; error: string } | undefined;

  constructor(options: LeaseNotesOptions) {
    this.options = options;
  }

  /** Called before each term, while the state still has what ended the last one. */
  beginTerm(): void {
    const { state, clock } = this.options;
    if (state.failure === undefined) return;
    this.failure = { at: clock.now().toISOString(), error: redactedMessageOf(state.failure) };
  }

  readonly status = (): string => {
    const { cluster, holder, release, capabilities, state, failing, clock } = this.options;
    const term = state.lead?.term;
    const stats = term && statsOf(term, clock);
    const all = failing.all;
    // What ended an earlier term does not matter once a later one has listed everything.
    if (stats?.isFollowing) this.failure = undefined;
    return formatLeaderStatus({
      ...{ holder, release, cluster, capabilities: [...capabilities] },
      isFollowing: stats?.isFollowing ?? false,
      lagSeconds: Math.round(stats?.lagSeconds ?? 0),
      unfinished: stats?.unfinished ?? 0,
      failing: differentFirst(all)
        .slice(0, maxFailing)
        .map((each) => this.shown(each)),
      failingCount: all.length,
      ...(this.failure ? { failure: this.failure } : {}),
      retried: this.retried,
    });
  };

  readonly onRequests = (text: string): void => {
    for (const request of parseRetryRequests(text)) {
      if (this.retried.some(({ id }) => id === request.id)) continue;
      const object = objectOf(request);
      const messages = object ? this.tryNow(object) : 0;
      // All that are taken at a time are answered at a time: each asker waits for an answer of its own.
      this.retried = [...this.retried, { id: request.id, messages }].slice(-maxRequests);
    }
  };

  /** Whatever is unfinished of an object, and whatever failed with its name. Returns how many keys are tried. */
  private tryNow(object: ObjectName): number {
    const { state, failing, queues, cluster, clock } = this.options;
    const term = state.lead?.term;
    const unfinished = term?.forwarder.unfinishedOf(object);
    const tried = new Set<string>();
    for (const { function: name, group } of failing.of(object.resource.kind, object)) {
      if (queues.hurry(name, group)) tried.add(`${name} ${group}`);
    }
    const runId = newRunId();
    for (const route of unfinished?.routes ?? []) {
      const name = `${route.function} ${groupIdOf(cluster, route.key)}`;
      const isQueued = queues.hurry(route.function, groupIdOf(cluster, route.key));
      const { cause, owner } = unfinished ?? {};
      if (!isQueued && cause) term?.outbox.add({ cluster, ...route, cause, owner, time: clock.now(), runId });
      tried.add(name);
    }
    return tried.size;
  }

  private shown({ function: name, group, kind, key, reason, error, since, attempts }: FailingKey) {
    const { queues, clock } = this.options;
    const restsUntilMs = queues.restsUntilMs(name, group);
    const inMs = restsUntilMs === undefined ? undefined : restsUntilMs - clock.elapsedMs();
    const next = inMs === undefined ? {} : { next: new Date(clock.now().getTime() + inMs).toISOString() };
    const object = kind === undefined || key === undefined ? {} : { kind, key };
    return { function: name, ...object, reason, error, since: since.toISOString(), attempts, ...next };
  }
}

/** One for each function and reason comes first: many objects of one cause do not hide another cause. */
function differentFirst(all: readonly FailingKey[]): FailingKey[] {
  const causes = [...Map.groupBy(all, ({ function: name, reason }) => `${name} ${reason}`).values()];
  return [...causes.flatMap((each) => each.slice(0, 1)), ...causes.flatMap((each) => each.slice(1))];
}
