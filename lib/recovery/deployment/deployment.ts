/** A function's queue and its dead-letter queue. */
export interface DeployedQueue {
  url: string;
  deadLetterUrl: string;
}

/** The parts of a deployment that the recovery commands need. */
export interface Deployment {
  /** The stack's name. */
  name: string;
  /** By function. */
  queues: Record<string, DeployedQueue>;
  /** The archive's bucket, if there is one. */
  archive: string | undefined;
  /** The clusters that it serves, if its outputs name them. */
  clusters?: readonly string[] | undefined;
  /** LONGSHORE_IDENTITY of its functions, which names their leases in clusters. */
  identity?: string | undefined;
}

/** The deployment or queue cannot be found; the message says what to do. */
export class UnknownDeployment extends Error {
  override name = 'UnknownDeployment';
}

export function queueOf({ name, queues }: Deployment, functionName: string): DeployedQueue {
  const queue = Object.hasOwn(queues, functionName) ? queues[functionName] : undefined;
  if (queue) return queue;
  throw new UnknownDeployment(
    `${name} has no queue of a function ${functionName}; it has queues of ${Object.keys(queues).join(', ')}`,
  );
}
