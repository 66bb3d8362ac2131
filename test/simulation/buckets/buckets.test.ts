import { describeSimulation } from '../simulation-tests.ts';
import { buckets } from './capability.ts';
import type { UserAction } from './user-actions.ts';

// Neither the settings nor the store are watched, and a message that failed for good comes again with the next resync.
const unwatched: UserAction[] = ['store down', 'buckets off', 'stranger registers', 'strip bucket'];

describeSimulation(buckets, unwatched);
