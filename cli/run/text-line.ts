import { printable } from '../terminal/printable.ts';

/** What each line would say again, or what is for machines. */
const leftOut = ['time', 'level', 'message', 'function', 'stack', 'requestId', 'messageId', 'trace', 'correlation'];
/** What the name of the object says. */
const ofObject = ['kind', 'key'];

/** A line of the log for people: the time of day, what happened, and the rest of what is known as name=value. */
export function textLine(line: string): string {
  const fields = JSON.parse(line) as Record<string, unknown>;
  const { time, level, message, function: name } = fields;
  const unsaid = new Set([...leftOut, ...('object' in fields ? ofObject : [])]);
  const rest = Object.entries(fields)
    .filter(([field]) => !unsaid.has(field))
    .map(([field, value]) => `${field}=${shown(value)}`);
  const clock = new Date(String(time)).toTimeString().slice(0, 8);
  const mark = level === 'error' ? ' ERROR' : '';
  const source = typeof name === 'string' && name !== 'run' ? [`function=${name}`] : [];
  return printable([`${clock}${mark}`, String(message), ...source, ...rest].join(' '));
}

function shown(value: unknown): string {
  const text = String(value);
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text);
}
