import { expect, test } from '@jest/globals';
import { forwardedFunctions } from '../../../lib/capabilities/all-capabilities.ts';
import { capabilityNames } from '../../../lib/capabilities/names.ts';
import { stepsOf } from '../../../lib/compose/steps.ts';

const settings = {
  drivers: [{ name: 's3.example.com', type: 's3' as const }],
  identity: 'test',
  permissionsBoundary: undefined,
};

test('everything to which a change leads has its step', () => {
  const names = stepsOf(capabilityNames, settings).map(({ name }) => name);
  expect(names.sort()).toEqual([...forwardedFunctions].sort());
});

test('a capability that is left out has none', () => {
  const names = stepsOf(['data-sources'], settings).map(({ name }) => name);
  expect(names.sort()).toEqual(['check-source', 'populate-claim']);
});
