import { Time } from '../../support/simulated-time.ts';
import { Violation } from '../capability.ts';
import { ClusterState } from './cluster-state.ts';

/** What everything in a run has in common. */
export class World {
  readonly time = new Time();
  readonly state = new ClusterState();
  readonly trace: string[] = [];
  /** Kept until whoever is called at the moment has returned: the product would catch it. */
  violation: Violation | undefined;
  /** The most events that any watch has told in one piece. */
  maxAtOnce = 0;
  private readonly isTraced: boolean;

  constructor(isTraced: boolean) {
    this.isTraced = isTraced;
  }

  tell(line: () => string): void {
    if (this.isTraced) this.trace.push(`${Math.round(this.time.nowMs).toString().padStart(6)} ${line()}`);
  }

  violate(text: string): void {
    if (this.violation) return;
    this.tell(() => `VIOLATION ${text}`);
    this.violation = new Violation(text);
  }

  /** Whatever goes wrong around a forwarder, this is a mistake in it. */
  checkError(error: unknown): void {
    if (/^(Type|Range|Reference|Syntax)Error/.test(String(error))) this.violate(`a mistake shows: ${error}`);
  }

  check(): void {
    if (this.violation) throw this.violation;
  }
}
