/** One line of the head of a request. A value that is more than that, such as a token with a line break in it, is refused. */
export function headerLine(name: string, value: string): string {
  if (/[\r\n]/.test(value)) throw new Error(`the header ${name} must not contain a line break`);
  return `${name}: ${value}\r\n`;
}
