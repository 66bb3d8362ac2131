import { readFileSync } from 'node:fs';

/** What a page of docs/contributing has the reader do, in its order. */
export type Action =
  /** A block of code is a file, which the line before it names. */
  | { do: 'write'; path: string; text: string }
  /** A block of a diff changes a file that is there. */
  | { do: 'change'; path: string; diff: string }
  /** A block of commands; one of a console says what is printed, too. */
  | { do: 'run'; command: string }
  | { do: 'see'; command: string; lines: readonly string[] };

const folder = new URL('../../../docs/contributing/', import.meta.url);
const blocks = /^```(\w+)\n([\s\S]*?)^```$/gm;

export function actionsOf(page: string): Action[] {
  const text = readFileSync(new URL(page, folder), 'utf8');
  return [...text.matchAll(blocks)].flatMap(({ index, 1: language = '', 2: body = '' }): Action[] => {
    const [, path = ''] = /`([^`]+)`:$/.exec(text.slice(0, index).trimEnd()) ?? [];
    if (language === 'sh')
      return body
        .trimEnd()
        .split('\n')
        .map((command) => ({ do: 'run', command }));
    if (language === 'console') {
      const [prompt = '', ...lines] = body.trimEnd().split('\n');
      return [{ do: 'see', command: prompt.replace(/^\$ /, ''), lines }];
    }
    if (!path)
      throw new Error(
        `${page}: no file is named before the block of ${language} that begins with ${body.slice(0, 60)}`,
      );
    return [language === 'diff' ? { do: 'change', path, diff: body } : { do: 'write', path, text: body }];
  });
}

/** The text with each part of the diff applied, whose parts are separated by lines of `@@`. */
export function changed(text: string, diff: string): string {
  return diff.split(/^@@\n/m).reduce((present, part) => {
    const lines = part.replace(/\n$/, '').split('\n');
    const having = (sign: string) =>
      `${lines
        .filter((line) => line === '' || line.startsWith(' ') || line.startsWith(sign))
        .map((line) => line.slice(1))
        .join('\n')}\n`;
    const pieces = present.split(having('-'));
    if (pieces.length !== 2) throw new Error(`found ${pieces.length - 1} times, instead of once:\n${having('-')}`);
    return pieces.join(having('+'));
  }, text);
}

/** The files that a page adds to the repository. */
export function filesMadeBy(page: string): string[] {
  return actionsOf(page).flatMap((action) => (action.do === 'write' ? [action.path] : []));
}
