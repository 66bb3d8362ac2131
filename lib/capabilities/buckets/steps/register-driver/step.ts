import { resources } from '../../../../kubernetes/resources.ts';
import type { Step } from '../../../../reconcile/step.ts';
import { decide, decideFailed } from './decide.ts';
import { readFor } from './read.ts';
import type { Registrar } from './registrar.ts';
import type { RegisteringWorld } from './world.ts';

export const registerDriverStep = { name: 'register-driver', resource: resources.registration } as const;

/** Registers the name of a driver, which only one deployment may serve in a cluster. */
export function registerDriver(registrar: Registrar): Step<RegisteringWorld> {
  return { ...registerDriverStep, read: readFor(registrar), decide, decideFailed };
}
