import { describeSimulation } from '../simulation-tests.ts';
import { dataSources } from './capability.ts';
import type { UserAction } from './user-actions.ts';

// The settings are not watched, and what is done by force may be seen in any order.
const unwatched: UserAction[] = ['snapshots off', 'strip finalizer'];

describeSimulation(dataSources, unwatched);
