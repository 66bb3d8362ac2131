import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Call, Connection } from '../../lib/kubernetes/connection.ts';
import { until } from '../support/patience.ts';
import type { Written } from './case-forwarder-history.ts';
import { namespace, offeredClaims, plainClaims, requests, type Sort } from './case-forwarder-objects.ts';
import { Writer } from './case-forwarder-writer.ts';

const counts: [Sort, string, number][] = [
  [offeredClaims, 'offered', 240],
  [requests, 'request', 80],
  [plainClaims, 'plain', 40],
];
const workers = 6;
/** In between, for the pieces of work of one worker: so many changes are there to be made soon, or a few until there are. */
const [maxPauseMs, slowPauseMs] = [60, 400];
/** Of ten changes so many are of the few objects that are changed again and again. */
const hotInTen = 6;
const hotEvery = 16;
const pollMs = 20;

/** Many objects that are made, changed and deleted by several workers at once, and what was written of them. */
export class Changes {
  readonly written: Written[] = [];
  made = 0;
  private readonly total: number;
  private readonly writers: Writer[];
  private readonly busy = new Set<Writer>();
  private readonly isDealtWith: (going: Written) => boolean;
  private soon = 0;
  private isStopped = false;

  /** `isDealtWith`: whether the deletion of an object has been forwarded, so that the object may vanish. */
  constructor(connection: Connection, total: number, isDealtWith: (going: Written) => boolean) {
    this.total = total;
    this.isDealtWith = isDealtWith;
    this.writers = counts.flatMap(([sort, name, count]) =>
      Array.from({ length: count }, (_, index) => {
        const place = { namespace, name: `${name}-${index}` };
        return new Writer({ send: (call) => this.send(connection, call) }, sort, place, this.written);
      }),
    );
  }

  /** Resolves when all have been made. */
  async run(): Promise<void> {
    this.soon = this.writers.length;
    await Promise.all(Array.from({ length: workers }, () => this.work()));
    for (const writer of this.writers) if (writer.isGoing) await this.letGo(writer);
  }

  /** So much of the whole is to be made soon; the rest is made slowly. */
  proceedTo(part: number): void {
    this.soon = Math.ceil(this.total * part);
  }

  /** Resolves when so many more have been made, or all that are to be made soon. */
  async untilMade(more: number): Promise<void> {
    const wanted = Math.min(this.made + more, this.soon);
    while (this.made < wanted && !this.isStopped) await pause(pollMs);
  }

  /** Whoever is at work fails with its next call. */
  stop(): void {
    this.isStopped = true;
  }

  private send(connection: Connection, call: Call): Promise<Answer> {
    if (this.isStopped) throw new Error('nothing more is to be changed');
    return connection.send(call);
  }

  private async work(): Promise<void> {
    while (this.made < this.total) {
      this.made += 1;
      const writer = this.pick();
      this.busy.add(writer);
      await this.changeOne(writer);
      this.busy.delete(writer);
      const isAtRest = this.made >= this.soon && this.soon < this.total;
      await pause(isAtRest ? slowPauseMs : Math.random() * maxPauseMs);
    }
  }

  /** Every object is made first, before any is picked by chance. */
  private pick(): Writer {
    const unmade = this.writers.find((each) => !each.written && !this.busy.has(each));
    if (unmade) return unmade;
    for (;;) {
      const isHot = Math.random() * 10 < hotInTen;
      const step = isHot ? hotEvery : 1;
      const writer = this.writers[Math.floor((Math.random() * this.writers.length) / step) * step];
      if (!writer || this.busy.has(writer)) continue;
      if (!writer.isGoing || (writer.written && this.isDealtWith(writer.written))) return writer;
    }
  }

  private async changeOne(writer: Writer): Promise<void> {
    const drawn = Math.random();
    if (!writer.written) await writer.create();
    else if (writer.isGoing) await writer.letGo();
    else if (writer.sort.isFenced && drawn < 0.04) await writer.delete();
    else await writer.change(drawn < 0.85);
  }

  private async letGo(writer: Writer): Promise<void> {
    const { written } = writer;
    const isTold = () => !written || this.isDealtWith(written);
    await until(`somebody is told that ${written?.key.name} is to be deleted`, isTold, { pollMs });
    await writer.letGo();
  }
}
