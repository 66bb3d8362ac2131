import { styleText } from 'node:util';

type Stream = NodeJS.WriteStream;
type Style = Parameters<typeof styleText>[0];

/** Colours where a terminal shows them: not in a pipe, and as NO_COLOR and FORCE_COLOR say. */
const styled =
  (style: Style) =>
  (text: string, stream: Stream = process.stdout): string =>
    styleText(style, text, { stream });

export const heading = styled('bold');
export const good = styled('green');
export const attention = styled('yellow');
export const bad = styled('red');
export const faint = styled('dim');
