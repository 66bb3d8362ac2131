import type { Holder } from '../../lib/install/holders.ts';
import { titleOf } from '../../lib/install/kinds.ts';
import type { Removal } from '../../lib/install/removal.ts';
import { printable } from '../terminal/printable.ts';
import { sections } from './plan-text.ts';

const maxNames = 5;

/** What would be removed, as people read it. */
export function removalText({ objects, left, inNamespace, foreign }: Removal): string {
  if (objects.length === 0) {
    const found = foreign.length > 0 ? ` ${foreignSentence(foreign)}` : '';
    return `Nothing that longshore install has installed is there.${found}`;
  }
  return sections([
    ['To remove:', ...objects.map((object) => `  ${printable(titleOf(object))}`)],
    inNamespace.length > 0 ? ['With the namespace:', ...inNamespace.map((name) => `  ${printable(name)}`)] : [],
    left.map(({ object, why }) => printable(`${titleOf(object)} stays: ${why}`)),
    foreign.length > 0 ? [foreignSentence(foreign)] : [],
  ]);
}

function foreignSentence(foreign: readonly string[]): string {
  const names = foreign.map(printable).join(', ');
  return `Installed by other means, and left alone: ${names}. Remove it in the same way, or run longshore install once, which adopts it.`;
}

/** What keeps Longshore from being removed. */
export function holdersText({ holders }: Pick<Removal, 'holders'>): string {
  return ['Nothing was changed. The following needs Longshore, or would be lost:', ...holderLines(holders)].join('\n');
}

export function holderLines(holders: readonly Holder[]): string[] {
  return holders.flatMap(({ what, names, todo }) => {
    const shown = names.slice(0, maxNames).map(printable).join(', ');
    const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
    return [`  ${what}: ${shown}${more}`, `    ${todo}`];
  });
}
