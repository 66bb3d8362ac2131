import { UsageError } from '../parse/usage-error.ts';

/** What a redrive leaves where it is, unless it is told otherwise. */
const includable = ['done', 'unprocessable', 'deletions'] as const;
type Includable = (typeof includable)[number];

export function readIncluded(list: string): Record<Includable, boolean> {
  const words = list.split(',').map((word) => word.trim());
  if (!words.every((word) => includable.some((known) => known === word))) {
    const known = includable.join(', ');
    throw new UsageError(`--include must be one or more of ${known}, separated by commas; but is ${list}`);
  }
  const isIncluded = (word: Includable) => words.includes(word);
  return { done: isIncluded('done'), unprocessable: isIncluded('unprocessable'), deletions: isIncluded('deletions') };
}
