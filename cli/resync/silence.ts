import type { Api } from '../../lib/kubernetes/api.ts';

const maxSilentMs = 45_000;

type Asked = Pick<Api, 'send' | 'sendForBytes'>;

/** Ends the listing of a cluster that has answered nothing for a while: each kind, and each attempt, would wait anew. */
export class Silence {
  private readonly stop = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly cluster: string;
  private readonly maxMs: number;
  readonly api: Asked;

  constructor(api: Asked, cluster: string, maxMs = maxSilentMs) {
    this.cluster = cluster;
    this.maxMs = maxMs;
    this.timer = setTimeout(() => this.stop.abort(), maxMs);
    const heard = async <T>(answer: Promise<T>): Promise<T> => {
      const result = await answer;
      this.timer.refresh();
      return result;
    };
    this.api = {
      send: (...call) => heard(api.send(...call)),
      sendForBytes: (...call) => heard(api.sendForBytes(...call)),
    };
  }

  get signal(): AbortSignal {
    return this.stop.signal;
  }

  /** What to say if it was silent. */
  get problem(): Error | undefined {
    if (!this.stop.signal.aborted) return undefined;
    const seconds = Math.round(this.maxMs / 1_000);
    return new Error(
      `the API server of cluster ${this.cluster} has answered nothing for ${seconds} s, and nothing was sent: check it with kubectl get --raw /readyz, and run this again`,
    );
  }

  end(): void {
    clearTimeout(this.timer);
  }
}
