import { describeSimulation } from '../simulation-tests.ts';
import { transfers } from './capability.ts';
import type { UserAction } from './user-actions.ts';

// Pods, quotas, namespaces and settings are not watched, and what is done by force may be seen in any order.
const unwatched: UserAction[] = [
  'use source in pod',
  'forbid claims',
  'strip finalizers',
  'strip protection',
  'delete target namespace',
  'make target namespace anew',
  'delete source namespace',
  'make source namespace anew',
  'switch requests',
  'switch annotations',
];

describeSimulation(transfers, unwatched);
