import type { AnyObject } from './installable.ts';

export interface WriteOptions {
  /** The server does everything but keep it. */
  isDryRun?: boolean;
}

/** The calls to a cluster that installing needs: on whole objects of any kind, by path. */
export interface ObjectsApi {
  /** Undefined where there is nothing of that name, or no such kind. */
  get<T = AnyObject>(path: string): Promise<T | undefined>;
  /** Undefined where the cluster does not serve the kind. */
  list<T = AnyObject>(path: string, query?: Record<string, string>): Promise<T[] | undefined>;
  create<T = AnyObject>(path: string, body: object, options?: WriteOptions): Promise<T>;
  /** Server-side apply. */
  apply<T = AnyObject>(path: string, body: object, options?: WriteOptions & { force?: boolean }): Promise<T>;
  patch<T = AnyObject>(path: string, body: object, options?: WriteOptions): Promise<T>;
  /** False if there was nothing to delete. */
  delete(path: string, uid?: string, options?: WriteOptions): Promise<boolean>;
}
