import { installAwsCli } from '../../tools/aws-cli/install.ts';
import { findBinaries, findKubectl } from '../../tools/control-plane/binaries.ts';
import { installLocalAws } from '../../tools/local-aws/install.ts';

/** First runs install and build what an operator types, which takes longer than any test. */
export default async function setUp(): Promise<void> {
  const progress = (line: string) => console.log(line);
  await installLocalAws(progress);
  await installAwsCli(progress);
  await findBinaries({ progress });
  await findKubectl({ progress });
}
