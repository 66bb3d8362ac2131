import { describe, expect, test } from '@jest/globals';
import { createAnew, createAnother } from '../../../../lib/capabilities/data-sources/advice.ts';
import { adviceIn } from '../../../support/advice.ts';

describe('who follows a message by the letter', () => {
  test('deletes a claim that has no volume, as long as it has none', () => {
    expect(adviceIn(`it is too small: ${createAnew('with 2Gi')}`).deletes).toBe('without a volume');
  });

  test('deletes no claim that has one', () => {
    expect(adviceIn(`it is empty: ${createAnother('with another class')}`)).toEqual({
      deletes: 'never',
      createsAnother: true,
    });
  });

  test.each([
    'do not use it; delete the claim, and create it again where no volume is free that fits it',
    'delete this claim and create it anew',
    `${createAnew('with 2Gi')}; or delete it at once`,
    'it has another volume: delete it and create it again',
  ])('would delete a claim with a volume by: %s', (message) => {
    expect(adviceIn(message).deletes).toBe('always');
  });
});
