import { checkpointTextOf, holderOf, type LeaseRecord } from '../../../lib/forwarder/lease-record.ts';
import type { Causes } from './causes.ts';
import type { QueueEvents, Sending } from './fake-queues.ts';
import type { FakeStore } from './fake-store.ts';
import type { LeaseObject } from './lease-object.ts';
import type { Reconcilers } from './reconcilers.ts';
import type { Term } from './term.ts';
import type { Told } from './told.ts';
import type { World } from './world.ts';

/** So many may wait, and what comes at once after the last look at them. */
const maxWaiting = 20_000;

interface Parts {
  world: World;
  lease: LeaseObject;
  causes: Causes;
  told: Told;
  store: FakeStore | undefined;
  reconcilers: Reconcilers;
}

/** What is demanded of one term. */
interface Account {
  term: Term;
  hasGivenAway: boolean;
  inFlight: Set<string>;
  /** What was accepted last of each key and each cause. */
  last: Map<string, number>;
  /** What its queue has taken, as far as it was heard. */
  taken: string[];
}

/** What must hold throughout, whatever goes wrong. */
export class Judge implements QueueEvents {
  private readonly parts: Parts;
  private readonly accounts = new Map<Term, Account>();

  constructor(parts: Parts) {
    this.parts = parts;
    parts.lease.onWritten = (record, before) => this.leaseWritten(record, before);
  }

  begin(term: Term): void {
    this.accounts.set(term, { term, hasGivenAway: false, inFlight: new Set(), last: new Map(), taken: [] });
  }

  begun(sendings: readonly Sending[]): void {
    const { world, lease } = this.parts;
    for (const { term, key } of sendings) {
      const { inFlight } = this.accountOf(term);
      if (term.isOver) world.violate('something is sent after the run is over');
      if (lease.holder !== term.name) world.violate('something is sent without the lease');
      if (inFlight.has(key)) world.violate('two messages of a key are on their way at once');
      inFlight.add(key);
    }
  }

  accepted(sending: Sending): void {
    const { world, lease, causes, told } = this.parts;
    const cause = causes.of(sending.body.id);
    if (!cause) {
      world.violate('a message is about no change that there was');
      return;
    }
    told.accept(sending, cause);
    const { term, hasGivenAway, last } = this.accountOf(sending.term);
    if (lease.holder !== term.name && !hasGivenAway) {
      world.violate('a queue takes a message after the lease was taken over');
    }
    // What was restored is told again, however old it is.
    if (cause.seq <= world.state.restoredSeq) return;
    const name = `${sending.key} ${cause.object.metadata.uid}`;
    if ((last.get(name) ?? 0) > cause.seq) world.violate('an older change of a key is told after a newer one');
    last.set(name, cause.seq);
  }

  answered(sendings: readonly Sending[], taken: readonly Sending[]): void {
    for (const { term, key } of sendings) this.accountOf(term).inFlight.delete(key);
    for (const { term, message } of taken) this.accountOf(term).taken.push(message.deduplicationId);
  }

  received(sending: Sending): boolean {
    return this.parts.reconcilers.receive(sending);
  }

  /** A run has come to its end; `isWell`: nothing was thrown. */
  ended(term: Term, isWell: boolean): void {
    const { world, store } = this.parts;
    if (term.api.streams.size > 0) world.violate('a watch is open after the run is over');
    if (!isWell) return;
    const { taken, inFlight } = this.accountOf(term);
    if (inFlight.size > 0) world.violate('something is being sent after the run has ended well');
    const isArchived = (id: string) => store?.stored.has(id) ?? true;
    if (!taken.every(isArchived)) world.violate('a message that was sent is not in the archive');
    this.accounts.get(term)?.taken.splice(0);
  }

  /** To be called whenever anything has happened. */
  checkNow(): void {
    let holding = 0;
    for (const { lead, machine, isOver } of this.accounts.keys()) {
      if (isOver || machine.isKilled || !lead.term) continue;
      if (lead.term.lease.isHeldFor(0)) holding += 1;
      if (lead.term.outbox.size > maxWaiting + this.parts.world.maxAtOnce)
        this.parts.world.violate('more waits to be sent than may');
    }
    if (holding > 1) this.parts.world.violate('two hold the lease');
  }

  private leaseWritten(record: LeaseRecord, before: LeaseRecord | undefined): void {
    const { world, told } = this.parts;
    const [holder, last] = [holderOf(record), holderOf(before)];
    world.tell(() => `lease: ${last || 'nobody'} -> ${holder || 'nobody'} ${checkpointTextOf(record) ?? ''}`);
    for (const account of this.accounts.values()) {
      if (holder === '' && account.term.name === last) account.hasGivenAway = true;
    }
    told.checkLease(record, before);
  }

  private accountOf(term: Term): Account {
    const account = this.accounts.get(term);
    if (!account) throw new Error('the term is not known');
    return account;
  }
}
