import { type LogLine, untilLogged } from '../local/function-logs.ts';
import type { LocalStack } from '../local/local-stack.ts';
import { table } from './table.ts';

/** The functions' writes for these keys, from their own logs, once they are done with them for this reason. */
export async function describeWrites(
  { localAws, stack }: LocalStack,
  keys: readonly string[],
  last = 'Complete',
): Promise<string> {
  const steps = Object.keys(stack.functionNames).filter((name) => name !== 'forward');
  const functionNames = steps.map((name) => stack.functionNames[name] ?? '');
  const concerned = ({ key = '' }: LogLine) => keys.includes(key);
  const isOver = (lines: LogLine[]) => lines.filter(concerned).some(({ reason }) => reason === last);
  const lines = (await untilLogged(localAws, functionNames, isOver)).filter(concerned);
  const writes = lines.filter(({ message }) => message === 'write');
  const began = Date.parse(writes[0]?.time ?? '');
  return table(
    ['at ms', 'object', 'step', 'written', 'result', 'ms'],
    writes.map((line) => [
      Date.parse(line.time) - began,
      shortened(line.object),
      line.function,
      line.write ?? '',
      line.result ?? '',
      line.milliseconds ?? 0,
    ]),
  );
}

/** The first digits of an identifier are unique within one tour. */
function shortened(object = ''): string {
  return object.replaceAll(/\b([0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '$1…');
}
