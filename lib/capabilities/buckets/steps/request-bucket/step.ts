import { resources } from '../../../../kubernetes/resources.ts';
import type { Step } from '../../../../reconcile/step.ts';
import type { RequestedChange } from '../../requests/requested-change.ts';
import { decide } from './decide.ts';
import { refuse } from './outcomes.ts';
import { type RequestWorld, read } from './read.ts';

/**
 * Takes the request of one event until it is fulfilled in the cluster. The event is not a message that names a key: the
 * step is created for it.
 */
export function requestBucket(requested: RequestedChange): Step<RequestWorld> {
  return {
    name: 'request-bucket',
    resource: resources.bucket,
    read: (cluster) => read(cluster, requested),
    decide: (world) => decide(requested, world),
    // There may be no object to report it on; the handler reports it in the dead-letter queue.
    decideFailed: (_, message) => refuse('GivenUp', message),
  };
}
