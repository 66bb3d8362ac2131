import { lineWidth } from './width.ts';
import { folded } from './wrap.ts';

/** Tells people a result, in lines that fit where it is a terminal. */
export function say(text: string): void {
  console.log(folded(text, lineWidth(process.stdout)));
}

/** Tells them what is not a part of the result. */
export function note(text: string): void {
  console.error(folded(text, lineWidth(process.stderr)));
}
