import { capabilityNames } from '../../lib/capabilities/names.ts';
import { InvalidParameter, quotedValue, reader } from './parameter-readers.ts';
import type { FunctionBlock } from './service.ts';

const someOfThem = `${capabilityNames.join(',')}, or some of them`;

export const capabilities = reader<string[]>(someOfThem, someOfThem, (text) => {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !capabilityNames.some((each) => each === name));
  if (unknown === undefined) return names;
  throw new InvalidParameter(
    `has ${quotedValue(unknown)}, but the capabilities are ${capabilityNames.join(', ')}`,
    someOfThem,
  );
});

/** Leaves out the functions of capabilities that are not selected, and the permissions to send to them. */
export function chooseFunctions(
  functions: Readonly<Record<string, FunctionBlock>>,
  wanted: readonly string[],
): Record<string, FunctionBlock> {
  const chosen = Object.entries(functions).filter(([, { capability }]) => !capability || wanted.includes(capability));
  const names = new Set(chosen.map(([name]) => name));
  const narrowed = chosen.map(([name, block]): [string, FunctionBlock] => {
    if (block.sendsTo === undefined) return [name, block];
    return [name, { ...block, sendsTo: block.sendsTo.filter((each) => names.has(each)) }];
  });
  return Object.fromEntries(narrowed);
}
