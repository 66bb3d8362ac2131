import type { Parameters } from './parameters.ts';
import type { Service } from './service.ts';

/** The input for all generated resources: the blocks of the deployed functions, and the parameters. */
export interface DeploymentContext {
  readonly service: Service;
  readonly parameters: Parameters;
  readonly stage: string;
  /** The prefix of all names. */
  readonly name: string;
}
