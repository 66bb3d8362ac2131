import { expect, test } from '@jest/globals';
import { holdersText } from '../../../cli/install/removal-text.ts';

const names = Array.from({ length: 7 }, (_, index) => `a/n${index}`);

test('what keeps Longshore is named with what to type in the same cluster, a few of each', () => {
  const commands = names.map((name) => ['kubectl', 'delete', `streq/${name.slice(2)}`, '-n', 'a']);
  const holders = [
    { what: 'StorageTransferRequest', names, todo: 'delete it', commands },
    { what: 'claim', names: ['a/one'], todo: 'let it be finished' },
  ];
  expect(holdersText({ holders }, ['--context', 'my cluster'])).toBe(
    [
      'Nothing was changed. The following needs Longshore, or would be lost:',
      '  StorageTransferRequest: a/n0, a/n1, a/n2, a/n3, a/n4 and 2 more',
      '    delete it:',
      ...[0, 1, 2, 3, 4].map((index) => `      kubectl delete streq/n${index} -n a --context 'my cluster'`),
      '  claim: a/one',
      '    let it be finished',
    ].join('\n'),
  );
});
