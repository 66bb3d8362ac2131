import { type LocalStack, startLocalStack } from '../../tools/local/local-stack.ts';
import { publish } from './deployed-stack.ts';

declare global {
  var longshoreTestStack: LocalStack | undefined;
}

/** One deployed stack for all files of the project: their objects are in namespaces of their own. */
export default async function setUp(): Promise<void> {
  const local = await startLocalStack({ progress: (line) => console.log(line) });
  globalThis.longshoreTestStack = local;
  publish(local);
}
