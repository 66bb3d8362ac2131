import { Connection } from './connection.ts';

/** Calls beyond this many wait for a connection, within their time limit. */
const maxConnections = 64;

/** Takes the next connection that is free, or nothing when there will be none. */
type Waiting = (connection: Connection | undefined) => void;

/** The connections to one address, kept for the next call. */
export class Connections {
  private readonly address: URL;
  private readonly all = new Set<Connection>();
  private idle: Connection[] = [];
  private readonly waiting = new Set<Waiting>();
  private isClosed = false;

  constructor(address: URL) {
    this.address = address;
  }

  /** One that is free now, if there may be one. */
  take(): Connection | undefined {
    const idle = this.idle.pop();
    if (idle || this.all.size >= maxConnections) return idle;
    const connection = new Connection(this.address, {
      onIdle: (free) => this.giveOn(free),
      onClosed: (closed) => this.forget(closed),
    });
    this.all.add(connection);
    return connection;
  }

  /** Answers how to stop waiting. */
  wait(notify: Waiting): () => void {
    this.waiting.add(notify);
    return () => this.waiting.delete(notify);
  }

  close(): void {
    this.isClosed = true;
    for (const notify of this.waiting) notify(undefined);
    this.waiting.clear();
    for (const connection of this.all) connection.destroy();
  }

  private giveOn(connection: Connection): void {
    const [next] = this.waiting;
    if (next) {
      this.waiting.delete(next);
      next(connection);
    } else {
      this.idle.push(connection);
    }
  }

  private forget(connection: Connection): void {
    if (!this.all.delete(connection)) return;
    this.idle = this.idle.filter((each) => each !== connection);
    if (this.waiting.size === 0 || this.isClosed) return;
    const another = this.take();
    if (another) this.giveOn(another);
  }
}
