import type { Parameters } from './parameters.ts';
import type { Service } from './service.ts';

/** What resources are made of: the blocks of the functions that are deployed, and the parameters. */
export interface Surroundings {
  readonly service: Service;
  readonly parameters: Parameters;
  readonly stage: string;
  /** What the names of all that has a name begin with. */
  readonly name: string;
}
