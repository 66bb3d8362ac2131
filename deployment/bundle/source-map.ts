/** The part of a source map that maps each piece of a module to its origin. */
interface Sources {
  sources: string[];
  mappings: string;
}

/**
 * The map with every position in our own sources, but for packages only the file of each position: they are two thirds
 * of a bundle, and are not fixed here. Names are omitted too, as only positions are looked up.
 */
export function leanMap(text: string): string {
  const { sources, mappings } = JSON.parse(text) as Sources;
  const isForeign = sources.map((source) => source.includes('node_modules/'));
  const before = { source: 0, line: 0, column: 0 };
  const place = { source: 0, line: 0, column: 0 };
  const lines = mappings.split(';').map((line) => {
    const kept: string[] = [];
    let [generated, generatedBefore, lastSource] = [0, 0, -1];
    for (const segment of line === '' ? [] : line.split(',')) {
      const [along = 0, source, down = 0, across = 0] = numbersIn(segment);
      generated += along;
      if (source === undefined) continue;
      place.source += source;
      place.line += down;
      place.column += across;
      if (isForeign[place.source] && place.source === lastSource) continue;
      lastSource = place.source;
      const changes = [place.source - before.source, place.line - before.line, place.column - before.column];
      kept.push([generated - generatedBefore, ...changes].map(vlqOf).join(''));
      generatedBefore = generated;
      Object.assign(before, place);
    }
    return kept.join(',');
  });
  return JSON.stringify({ version: 3, sources, names: [], mappings: lines.join(';') });
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** By the codes of the characters: a bundle has a million of these digits. */
const valueOfDigit = new Uint8Array(128);
for (const [value, digit] of [...digits].entries()) valueOfDigit[digit.charCodeAt(0)] = value;

/**
 * Each digit has five bits of a number, lowest first, and a flag if more follow; the lowest bit of the number is the
 * sign.
 */
function numbersIn(segment: string): number[] {
  const numbers: number[] = [];
  let [number, shift] = [0, 0];
  for (let at = 0; at < segment.length; at += 1) {
    const value = valueOfDigit[segment.charCodeAt(at)] ?? 0;
    number += (value & 31) << shift;
    shift += 5;
    if (value & 32) continue;
    numbers.push(number & 1 ? -(number >> 1) : number >> 1);
    [number, shift] = [0, 0];
  }
  return numbers;
}

function vlqOf(number: number): string {
  let left = number < 0 ? -number * 2 + 1 : number * 2;
  let text = '';
  do {
    text += digits[(left & 31) | (left > 31 ? 32 : 0)];
    left >>= 5;
  } while (left > 0);
  return text;
}
