import { expect, test } from '@jest/globals';
import { readTarget, targetText } from '../../../cli/operate/target.ts';

const text = (...words: string[]) => {
  const { namespace, ...name } = readTarget(words, 'team');
  return [namespace, targetText(name)];
};

test.each([
  [['streq/move'], ['team', 'streq/move']],
  [
    ['pvc', 'data'],
    ['team', 'pvc/data'],
  ],
  [
    ['pvc', 'other/data'],
    ['other', 'pvc/data'],
  ],
  [['Bucket/photos'], ['team', 'bucket/photos']],
  [['persistentvolumes/volume-1'], [undefined, 'pv/volume-1']],
])('%j is understood', (words, expected) => {
  expect(text(...words)).toEqual(expected);
});

test.each([
  [['data'], 'name one object as <kind>/<name>'],
  [[], 'name one object'],
  [['pvc', 'a', 'b'], 'name one object'],
  [['thing/data'], 'unknown kind "thing"'],
  [['pvc/../secrets'], 'is not a name of a PersistentVolumeClaim'],
  [['pvc/Data'], '"Data" is not a name'],
  [['pv/team/volume'], 'is not a name of a PersistentVolume'],
  [['pvc/\u001b[2J'], 'is not a name'],
])('%j is refused', (words, problem) => {
  expect(() => readTarget(words, 'team')).toThrow(problem);
});
