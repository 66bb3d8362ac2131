import { Agent, request } from 'node:https';
import type { ApiServer } from '../../tools/control-plane/api-server.ts';
import { nowMs } from './clock.ts';

export interface Answer {
  /** The time at which the API server's response arrived. */
  at: number;
  text: string;
}

const mergePatch = 'application/merge-patch+json';
const timeoutMs = 30_000;

/** Requests over kept-alive connections, without any layer around them: many a second must cost little. */
export class ApiRequests {
  private readonly server: Pick<ApiServer, 'address' | 'certificateAuthority' | 'token'>;
  private readonly agent: Agent;

  constructor(server: Pick<ApiServer, 'address' | 'certificateAuthority' | 'token'>, connections: number) {
    this.server = server;
    this.agent = new Agent({ keepAlive: true, maxSockets: connections, ca: server.certificateAuthority });
  }

  get(path: string): Promise<Answer> {
    return this.send('GET', path, {}, 'application/json');
  }

  create(path: string, object: object): Promise<Answer> {
    return this.send('POST', path, object, 'application/json');
  }

  patch(path: string, changes: object): Promise<Answer> {
    return this.send('PATCH', path, changes, mergePatch);
  }

  delete(path: string): Promise<Answer> {
    return this.send('DELETE', path, {}, 'application/json');
  }

  async deleteIfThere(path: string): Promise<void> {
    await this.delete(path).catch((error) => {
      if (!String(error).includes('answered with 404')) throw error;
    });
  }

  close(): void {
    this.agent.destroy();
  }

  private send(method: string, path: string, content: object, type: string): Promise<Answer> {
    const body = JSON.stringify(content);
    const headers = {
      authorization: `Bearer ${this.server.token}`,
      accept: 'application/json',
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'user-agent': 'bench',
    };
    return new Promise((resolve, reject) => {
      const options = { method, headers, agent: this.agent, timeout: timeoutMs };
      const outgoing = request(`${this.server.address}${path}`, options, (response) => {
        const at = nowMs();
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(pieces).toString('utf8');
          if ((response.statusCode ?? 0) < 300) resolve({ at, text });
          else reject(new Error(`${method} ${path} was answered with ${response.statusCode}: ${text}`));
        });
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error(`${method} ${path} was not answered in time`)));
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }
}

/** Does all of the work, this many pieces at a time. */
export async function inParallel(count: number, width: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      next += 1;
      await work(next - 1);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
}
