/** An operation of a JSON Patch (RFC 6902). */
export type Operation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: object }
  | { readonly op: 'remove'; readonly path: string };

export function remove(...fields: string[]): Operation {
  return { op: 'remove', path: pathTo(fields) };
}

function pathTo(fields: readonly string[]): string {
  return fields.map((field) => `/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
