import { resources } from '../../../../kubernetes/resources.ts';
import type { Step } from '../../../../reconcile/step.ts';
import type { RequestedChange } from '../../requests/requested-change.ts';
import { decide } from './decide.ts';
import { refuse } from './outcomes.ts';
import { type RequestWorld, read } from './read.ts';

/** What one event asks for, until it is in the cluster. The event is no message that names a key: the step is made for it. */
export function requestBucket(requested: RequestedChange): Step<RequestWorld> {
  return {
    name: 'request-bucket',
    resource: resources.bucket,
    read: (cluster) => read(cluster, requested),
    decide: (world) => decide(requested, world),
    // There may be no object to tell it on; the handler tells it in the dead-letter queue.
    decideFailed: (_, message) => refuse('GivenUp', message),
  };
}
