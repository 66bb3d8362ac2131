import type { AnyObject, ClusterApi } from '../connect/cluster-api.ts';

/** Who the server takes the caller for, and what time it has. */
export interface ServerView {
  user: string;
  /** How much the server's clock is ahead of this machine's; it tells whole seconds. Undefined if it tells none. */
  aheadMs: number | undefined;
}

interface Review extends AnyObject {
  status?: { userInfo?: { username?: string } };
}

/** Everyone may review themselves, and the server dates the answer. */
export async function askServer(api: ClusterApi, now: () => Date = () => new Date()): Promise<ServerView> {
  const apiVersion = 'authentication.k8s.io/v1';
  const beforeMs = now().getTime();
  const body = { apiVersion, kind: 'SelfSubjectReview' };
  const { metadata, status } = await api.create<Review>(`/apis/${apiVersion}/selfsubjectreviews`, body);
  const middleMs = (beforeMs + now().getTime()) / 2;
  const serverMs = Date.parse(String(metadata?.creationTimestamp));
  // The middle of the second that it names.
  const aheadMs = Number.isNaN(serverMs) ? undefined : serverMs + 500 - middleMs;
  return { user: status?.userInfo?.username ?? 'somebody', aheadMs };
}
