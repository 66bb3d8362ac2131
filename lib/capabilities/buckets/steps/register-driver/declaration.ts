import { resources } from '../../../../kubernetes/resources.ts';
import { type Declaration, objects } from '../../../../reconcile/declaration.ts';
import { registerDriverFrom } from './from-config.ts';
import { registerDriverStep } from './step.ts';

export const declaration: Declaration = {
  name: registerDriverStep.name,
  // A missing registration may be the one to create.
  made: { ...registerDriverStep, absentMeans: 'nothing', from: registerDriverFrom },
  purpose: "register the names of this deployment's drivers.",
  key: "a driver's name",
  does: 'Registers the driver when a class names it.',
  permissions: [
    { verbs: ['get', 'create', 'patch'], on: [objects(resources.registration)] },
    { verbs: ['create'], on: [objects(resources.event)] },
  ],
};
