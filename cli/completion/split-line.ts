/** The words of a line as a shell has them, as far as one can be typed: quotes and backslashes, but nothing evaluated. */
export function splitLine(line: string): string[] {
  const words = [''];
  let quote = '';
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index] ?? '';
    if (character === '\\' && quote !== "'") {
      index += 1;
      append(words, line[index] ?? '');
    } else if (quote !== '') {
      if (character === quote) quote = '';
      else append(words, character);
    } else if (character === '"' || character === "'") quote = character;
    else if (!/\s/.test(character)) append(words, character);
    else if (words.at(-1) !== '' || words.length === 1) words.push('');
  }
  return words;
}

function append(words: string[], text: string): void {
  words[words.length - 1] += text;
}
