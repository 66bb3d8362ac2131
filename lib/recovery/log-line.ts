/** What a line of a function's log says, if it is one of ours: Lambda may put words before it, and writes lines of its own. */
export function fieldsOfLine(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text.slice(text.indexOf('{'))) ?? {};
  } catch {
    return {};
  }
}
