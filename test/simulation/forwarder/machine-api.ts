import type { Answer, Api, Call, RawAnswer, Stream } from '../../../lib/kubernetes/connection.ts';
import { ClusterError } from '../../../lib/kubernetes/errors.ts';
import { failure } from '../../lib/forwarder/lease-server.ts';
import type { Machine } from '../../support/simulated-time.ts';
import type { ApiServer } from './api-server.ts';
import { ChunkStream } from './chunk-stream.ts';
import type { Fates } from './troubles.ts';
import type { World } from './world.ts';

/** The connection gives up a call after this long; nothing is under way for longer. */
const maxCallMs = 15_000;

interface Surroundings {
  world: World;
  server: ApiServer;
  fates: Fates;
  machine: Machine;
}

interface Exchange<T> {
  signal?: AbortSignal | undefined;
  handle: () => T;
  /** What the server did for nobody. */
  undo?: (result: T) => void;
}

/** The way to the API server, as one process has it. */
export class MachineApi implements Api {
  readonly streams = new Set<ChunkStream>();
  private readonly at: Surroundings;

  constructor(at: Surroundings) {
    this.at = at;
  }

  send(call: Call, signal?: AbortSignal): Promise<Answer> {
    const { server } = this.at;
    // What is sent is what it is now, whatever becomes of the objects later.
    const sent: Call = call.body === undefined ? call : structuredClone(call);
    return this.exchange({ signal, handle: () => server.handle(sent) });
  }

  async sendForBytes(call: Call, signal?: AbortSignal): Promise<RawAnswer> {
    const { status, body } = await this.send(call, signal);
    const bytes = Buffer.from(body);
    const isCut = status === 200 && this.at.fates.happens('cut watches', 0.03);
    return { status, body: isCut ? bytes.subarray(0, bytes.length - 2) : bytes };
  }

  async open(call: Call, _silenceMs?: number, signal?: AbortSignal): Promise<Stream> {
    const { server, machine } = this.at;
    const handle = (): Answer | ChunkStream => {
      const stream = new ChunkStream(machine, (closed) => this.closed(closed));
      this.streams.add(stream);
      const answer = server.openWatch(call, stream);
      if (answer) {
        this.closed(stream);
        return answer;
      }
      signal?.addEventListener('abort', () => stream.abort(new Error('aborted')), { once: true });
      return stream;
    };
    const undo = (opened: Answer | ChunkStream) => opened instanceof ChunkStream && this.closed(opened);
    const answer = await this.exchange({ signal, handle, undo });
    return answer instanceof ChunkStream ? answer : streamOf(answer);
  }

  /** The process is gone, and its connections with it. */
  close(): void {
    for (const stream of this.streams) this.closed(stream);
  }

  private closed(stream: ChunkStream): void {
    this.streams.delete(stream);
    this.at.server.closed(stream);
  }

  /** One question, and its answer, or an error when there is none within the time. */
  private exchange<T>({ signal, handle, undo }: Exchange<T>): Promise<T | Answer> {
    const { world, server, fates, machine } = this.at;
    const { requestMs, answerMs, refusal: status } = fates.ofCall();
    return new Promise<T | Answer>((resolve, reject) => {
      const fail = (reason: string) => reject(new ClusterError('unreachable', reason));
      const abort = () => fail('aborted');
      if (signal?.aborted) return abort();
      signal?.addEventListener('abort', abort, { once: true });
      const settle = (end: () => void) => {
        machine.receive(() => {
          signal?.removeEventListener('abort', abort);
          end();
        });
      };
      const isAnswered = requestMs !== undefined && answerMs !== undefined && requestMs + answerMs <= maxCallMs;
      if (!isAnswered) world.time.after(maxCallMs, () => settle(() => fail(`silent for ${maxCallMs} ms`)));
      if (requestMs === undefined) return;
      world.time.after(requestMs, () => {
        if (signal?.aborted) return;
        if (!server.isUp) return settle(() => fail('connection refused'));
        const answer = status === undefined ? handle() : failure(status, 'Refused');
        if (!isAnswered) return status === undefined ? undo?.(answer as T) : undefined;
        if (answerMs === 0) settle(() => resolve(answer));
        else world.time.after(answerMs, () => settle(() => resolve(answer)));
      });
    });
  }
}

function streamOf({ status, body }: Answer): Stream {
  const chunks = async function* () {
    yield Buffer.from(body);
  };
  return { statusCode: status, [Symbol.asyncIterator]: chunks };
}
