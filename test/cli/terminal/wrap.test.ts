import { expect, test } from '@jest/globals';
import { folded } from '../../../cli/terminal/wrap.ts';

test.each([
  ['what fits', 'one two three', 'one two three'],
  ['a sentence', 'one two three four five six', 'one two three four\nfive six'],
  ['what is indented', '  goes to: namespace team-b', '  goes to: namespace\n    team-b'],
  ['what has columns', 'match  Claim team-a/a-name', 'match  Claim\n  team-a/a-name'],
  ['an item of a list', '- clusterroles.rbac: get, list', '- clusterroles.rbac:\n  get, list'],
  ['an item of one long word', '- clusterrolebindings.rbac.example', '- clusterrolebindings.rbac.example'],
  ['a line to copy', '  longshore cancel streq/x -n y', '  longshore cancel streq/x -n y'],
  ['a line to copy with its name', '  go on:    longshore move pvc/db', '  go on:    longshore move pvc/db'],
  [
    'one at the end of a sentence',
    'It moves later. To withdraw it: kubectl delete x',
    'It moves later. To\nwithdraw it:\n  kubectl delete x',
  ],
  [
    'a manifest to apply',
    "apply this:\nkubectl apply -f - <<'EOF'\nkind: of a line that is long\nEOF\nand this is folded",
    "apply this:\nkubectl apply -f - <<'EOF'\nkind: of a line that is long\nEOF\nand this is folded",
  ],
])('%s', (_, text, wanted) => {
  expect(folded(text, 20)).toBe(wanted);
  expect(folded(text, Number.POSITIVE_INFINITY)).toBe(text);
});

test('what follows a manifest is folded again', () => {
  const lines = folded("kubectl apply -f - <<'EOF'\nkind: A\nEOF\none two three four five", 20).split('\n');
  expect(lines.slice(-2)).toEqual(['one two three four', 'five']);
});
