import type { TransferApproval } from '../../lib/kubernetes/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { progressOf, sentenceOf, waitingCondition } from '../move/progress.ts';
import { tellEnd } from '../objects/end.ts';
import { follow } from '../objects/follow.ts';
import { read } from '../objects/objects.ts';
import type { Work } from '../objects/work.ts';
import { shellLine } from '../terminal/shell-line.ts';
import type { Requested } from './requested.ts';

interface Following {
  approval: TransferApproval;
  requested: Requested;
  what: string;
  withdraw: string;
  timeoutMs: number;
}

/** Follows a transfer from the side that gives. */
export async function untilMoved(
  work: Work,
  user: Work['user'],
  { approval, requested, what, withdraw, timeoutMs }: Following,
) {
  const { namespace, name, claim, targetNamespace, requestName } = requested;
  let seen: TransferApproval | undefined;
  const { ending } = await follow(user, timeoutMs, async () => {
    seen = await read(work, resources.transferApproval, namespace, name);
    return progressOf(seen, what, approval.metadata.uid);
  });
  const waiting = seen && waitingCondition(seen);
  const again = ['longshore', 'approve', `streq/${requestName}`, '-n', namespace, '--for', targetNamespace];
  return tellEnd(user, ending, {
    over: `Moved: claim ${namespace}/${claim} is in namespace ${targetNamespace} now.`,
    stays: what,
    again: shellLine([...again, '--claim', claim, '--approval', name, '--wait', ...work.reach]),
    withdraw,
    waitsFor: waiting && sentenceOf(waiting),
  });
}
