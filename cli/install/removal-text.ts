import type { Holder } from '../../lib/install/holders.ts';
import { titleOfContent } from '../../lib/install/in-namespace.ts';
import { titleOf } from '../../lib/install/kinds.ts';
import { type Removal, removesAnything } from '../../lib/install/removal.ts';
import { printable } from '../terminal/printable.ts';
import { shellLine } from '../terminal/shell-line.ts';
import { sections } from './plan-text.ts';

const maxNames = 5;

/** What would be removed, as people read it. */
export function removalText(removal: Removal): string {
  const { objects, left, inNamespace, givenBack, foreign } = removal;
  const stays = left.map(({ object, why }) => printable(`${titleOf(object)} is left: ${why}`));
  const byOthers = foreign.length > 0 ? [foreignSentence(foreign)] : [];
  if (!removesAnything(removal)) {
    const more = left.length > 0 ? 'to be removed' : 'there';
    return [`Nothing that longshore install has installed is ${more}.`, ...byOthers, ...stays].join('\n');
  }
  const written = inNamespace.map((content) => `  ${printable(titleOfContent(content))}`);
  return sections([
    objects.length > 0 ? ['To remove:', ...objects.map((object) => `  ${printable(titleOf(object))}`)] : [],
    written.length > 0 ? ['To remove in the namespace:', ...written] : [],
    givenBack ? [`To take the labels of Longshore off: ${printable(titleOf(givenBack))}`] : [],
    stays,
    byOthers,
  ]);
}

function foreignSentence(foreign: readonly string[]): string {
  const names = foreign.map(printable).join(', ');
  return `Installed by other means, and left alone: ${names}. Remove it in the same way, or run longshore install once, which adopts it.`;
}

/** What keeps Longshore from being removed. */
export function holdersText({ holders }: Pick<Removal, 'holders'>, reach: readonly string[] = []): string {
  const lines = holderLines(holders, reach);
  return ['Nothing was changed. The following needs Longshore, or would be lost:', ...lines].join('\n');
}

/** With the options that lead commands to the same cluster. */
export function holderLines(holders: readonly Holder[], reach: readonly string[] = []): string[] {
  return holders.flatMap(({ what, names, todo, commands = [] }) => {
    const shown = names.slice(0, maxNames).map(printable).join(', ');
    const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
    const typed = commands.slice(0, maxNames).map((words) => `      ${shellLine([...words, ...reach])}`);
    return [`  ${what}: ${shown}${more}`, `    ${todo}${typed.length > 0 ? ':' : ''}`, ...typed];
  });
}
