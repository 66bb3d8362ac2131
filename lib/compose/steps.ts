import { forwardedFunctions } from '../capabilities/all-capabilities.ts';
import { declared } from '../capabilities/declarations.ts';
import type { CapabilityName } from '../capabilities/names.ts';
import type { StepSettings } from '../reconcile/declaration.ts';
import type { Step, World } from '../reconcile/step.ts';

/** The steps to which changes of a cluster lead, for a process that runs all of them. */
export function stepsOf(capabilities: readonly CapabilityName[], settings: StepSettings): Step<World>[] {
  return capabilities
    .flatMap((each) => declared[each])
    .filter(({ name }) => forwardedFunctions.has(name))
    .map(({ name, step, made }) => {
      const found = made ? made.from(settings) : step;
      if (!found) throw new Error(`the declaration of ${name} has no step`);
      return found;
    });
}
