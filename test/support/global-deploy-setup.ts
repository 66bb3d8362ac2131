import { findBinaries } from '../../tools/control-plane/binaries.ts';
import { type LocalStack, startLocalStack } from '../../tools/local/local-stack.ts';
import { installLocalAws } from '../../tools/local-aws/install.ts';
import { checkers } from '../../tools/template-check/checkers.ts';
import { published } from './deployed-stack.ts';
import { type Lending, lend, lendings } from './lending.ts';

declare global {
  var longshoreTestStack: { lending: Lending; starting(): Promise<LocalStack> | undefined } | undefined;
}

/** One deployed stack for all files of the project, which run one after the other: see lanes-runner.ts. */
export default async function setUp(): Promise<void> {
  const progress = (line: string) => console.log(line);
  // First runs install and build, which takes longer than any test.
  await installLocalAws(progress);
  await checkers(progress);
  if (!process.env.LONGSHORE_KUBECONFIG) await findBinaries({ progress });
  let starting: Promise<LocalStack> | undefined;
  const lending = await lend(lendings.stacks, async () => {
    starting ??= startLocalStack({ progress });
    return published(await starting);
  });
  globalThis.longshoreTestStack = { lending, starting: () => starting };
}
