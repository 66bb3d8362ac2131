/** A function's queue, and where its messages go when they have failed too often. */
export interface DeployedQueue {
  url: string;
  deadLetterUrl: string;
}

/** What is deployed, as far as someone needs to know it who mends or looks. */
export interface Deployment {
  /** The name of its stack. */
  name: string;
  /** By function. */
  queues: Record<string, DeployedQueue>;
  /** The bucket of the archive, where there is one. */
  archive: string | undefined;
  /** The clusters that it knows, where it says so. */
  clusters?: readonly string[] | undefined;
}

/** The name of what cannot be found, and what to do. */
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
