import { Command } from '@commander-js/extra-typings';
import { expect, test } from '@jest/globals';
import { chosen, withChoices, wordsFor } from '../../../cli/install/choice-options.ts';

const read = (...words: string[]) => {
  const command = withChoices(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  return chosen(command.parse(words, { from: 'user' }).opts());
};

test('what is not said is not chosen, so that it stays as it was', () => {
  expect(read()).toEqual({});
});

test('what is said is chosen, in either way', () => {
  expect(read('--capabilities', 'buckets,transfers', '--without-run-role', '--function-roles')).toEqual({
    capabilities: ['transfers', 'buckets'],
    runRole: false,
    functionRoles: true,
  });
  expect(read('--run-role', '--without-function-roles', '--without-user-roles', '--without-reference-grants')).toEqual({
    runRole: true,
    functionRoles: false,
    userRoles: false,
    referenceGrants: false,
  });
});

test('what was chosen can be said in words, and then means the same', () => {
  const choices = {
    capabilities: ['transfers', 'data-sources'],
    runRole: false,
    functionRoles: true,
    userRoles: true,
    referenceGrants: false,
  } as const;
  expect(read(...wordsFor(choices))).toEqual(choices);
});

test.each([['run-role'], ['function-roles'], ['user-roles'], ['reference-grants']])(
  'both --%s and its opposite are refused',
  (name) => {
    expect(() => read(`--${name}`, `--without-${name}`)).toThrow(/cannot be used with option/);
  },
);
