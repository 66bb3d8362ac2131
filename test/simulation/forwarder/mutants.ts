import type { ForwarderMutant } from './mutant.ts';
import { sendingMutants } from './mutants-of-sending.ts';
import { archiveMutants } from './mutants-of-the-archive.ts';
import { checkpointMutants } from './mutants-of-the-checkpoint.ts';
import { watchingMutants } from './mutants-of-watching.ts';

export const forwarderMutants: readonly ForwarderMutant[] = [
  ...sendingMutants,
  ...watchingMutants,
  ...checkpointMutants,
  ...archiveMutants,
];
