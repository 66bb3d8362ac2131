import type { Api, Call, RawAnswer } from '../../lib/kubernetes/api.ts';
import { errorFromAnswer, isClusterError, parsedAnswer } from '../../lib/kubernetes/errors.ts';
import { PatientApi, type PatientOptions } from './patient-api.ts';
import { plainError } from './plain-error.ts';

/** An object as people and tools have it: all of its fields. */
export interface AnyObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; [field: string]: unknown };
  [field: string]: unknown;
}

export interface WriteOptions {
  /** The server does everything but keep it. */
  isDryRun?: boolean;
}

export interface DeleteOptions extends WriteOptions {
  /** Makes sure that nobody has changed it since it was seen. */
  resourceVersion?: string;
}

export interface ApplyOptions extends WriteOptions {
  /** Takes over fields that somebody else has set. */
  force?: boolean;
}

const fieldManager = 'longshore-cli';
const pageLimit = 500;

export interface ClusterApiOptions extends PatientOptions {
  /** Owns the fields that it applies: each command that applies objects of its own has one. */
  manager?: string | undefined;
}

/** The calls that commands make for people: whole objects of any kind, by path. */
export class ClusterApi {
  private readonly api: PatientApi;
  private readonly manager: string;

  constructor(api: Pick<Api, 'sendForBytes'>, { manager = fieldManager, ...options }: ClusterApiOptions = {}) {
    this.api = new PatientApi(api, options);
    this.manager = manager;
  }

  /** Undefined where there is nothing of that name, or no such kind. */
  async get<T = AnyObject>(path: string): Promise<T | undefined> {
    try {
      return await this.getServed<T>(path);
    } catch (error) {
      if (isClusterError(error) && error.status === 404) return undefined;
      throw error;
    }
  }

  /** Undefined where there is nothing of that name; an error where the cluster does not know the path. */
  async getServed<T = AnyObject>(path: string): Promise<T | undefined> {
    try {
      return await this.send<T>({ method: 'GET', path });
    } catch (error) {
      if (isClusterError(error, 'gone')) return undefined;
      throw error;
    }
  }

  /** All pages of a list; undefined where the cluster does not serve the kind. */
  async list<T = AnyObject>(path: string, query: Record<string, string> = {}): Promise<T[] | undefined> {
    const items: T[] = [];
    let next: string | undefined;
    do {
      const page = new URLSearchParams({ limit: String(pageLimit), ...query, ...(next ? { continue: next } : {}) });
      const found = await this.get<{ metadata?: { continue?: string }; items: T[] }>(`${path}?${page}`);
      if (!found) return undefined;
      items.push(...found.items);
      next = found.metadata?.continue;
    } while (next);
    return items;
  }

  create<T = AnyObject>(path: string, body: object, { isDryRun = false }: WriteOptions = {}): Promise<T> {
    return this.send<T>({ method: 'POST', path: `${path}?${this.writeQuery(isDryRun)}`, body });
  }

  /** Server-side apply. */
  apply<T = AnyObject>(path: string, body: object, { isDryRun = false, force = false }: ApplyOptions = {}): Promise<T> {
    const query = `${this.writeQuery(isDryRun)}&force=${force}`;
    return this.send<T>({
      method: 'PATCH',
      path: `${path}?${query}`,
      body,
      contentType: 'application/apply-patch+yaml',
    });
  }

  /** A JSON merge patch; with a uid and resourceVersion in its metadata the server refuses it where they are others. */
  patch<T = AnyObject>(path: string, body: object, { isDryRun = false }: WriteOptions = {}): Promise<T> {
    const contentType = 'application/merge-patch+json';
    return this.send<T>({ method: 'PATCH', path: `${path}?${this.writeQuery(isDryRun)}`, body, contentType });
  }

  /** False if there was nothing to delete. The uid makes sure that it is the one that was seen. */
  async delete(path: string, uid?: string, options: DeleteOptions = {}): Promise<boolean> {
    const { isDryRun = false, resourceVersion } = options;
    const preconditions = { ...(uid ? { uid } : {}), ...(resourceVersion ? { resourceVersion } : {}) };
    const body = { preconditions, ...(isDryRun ? { dryRun: ['All'] } : {}) };
    try {
      await this.send({ method: 'DELETE', path, body });
      return true;
    } catch (error) {
      if (isClusterError(error, 'gone')) return false;
      throw error;
    }
  }

  private async send<T>(call: Call): Promise<T> {
    return this.read<T>(call, await this.api.sendForBytes(call));
  }

  private read<T>({ path, body: sent }: Call, { status, body, held }: RawAnswer): T {
    const text = body.toString('utf8');
    // A command reads one answer after the other, and keeps what it likes.
    held?.release();
    if (status >= 400) throw plainError(errorFromAnswer(status, text, sent !== undefined));
    return parsedAnswer<T>(text, path);
  }

  private writeQuery(isDryRun: boolean): string {
    return `fieldManager=${this.manager}${isDryRun ? '&dryRun=All' : ''}`;
  }
}
