import { ClusterError, isClusterError } from './errors.ts';
import { AnswerTooLong } from './whole-answer.ts';

const maxObjects = 500;
/** No list has this many: it is endless. */
const maxPages = 10_000;
/** After a page with fewer bytes than this, the next one may have twice as many objects. */
const fewBytes = 1024 * 1024;

/** The query for a page of a list, as the API server expects it. */
export interface PageQuery {
  limit: string;
  continue?: string;
}

export interface PageRead {
  bytes: number;
  next: string | undefined;
}

/**
 * Reads a list page by page. A page that is too long to be read is requested again with fewer objects, down to a single
 * one.
 */
export async function readPages(read: (query: PageQuery) => Promise<PageRead>): Promise<void> {
  let objects = maxObjects;
  let pages = 0;
  for (let next: string | undefined = ''; next !== undefined; ) {
    pages += 1;
    if (pages > maxPages) throw new ClusterError('oversized', `the list has more than ${maxPages} pages`);
    try {
      const page: PageRead = await read({ limit: String(objects), ...(next ? { continue: next } : {}) });
      next = page.next;
      if (page.bytes < fewBytes) objects = Math.min(maxObjects, objects * 2);
    } catch (error) {
      if (!isTooLong(error) || objects === 1) throw error;
      objects = Math.max(1, Math.floor(objects / 4));
    }
  }
}

/** True if a smaller page could be read. */
export function isTooLong(error: unknown): boolean {
  return isClusterError(error, 'oversized') && error.cause instanceof AnswerTooLong;
}
