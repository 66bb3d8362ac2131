import { populatedConditionOf } from '../../../lib/capabilities/data-sources/populated.ts';
import type { Claim, Condition } from '../../../lib/kubernetes/objects.ts';
import type { MemoryDisk } from '../../../tools/csi-stand-in/memory-disk.ts';
import { Violation } from '../capability.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import type { Holdings } from './holdings.ts';
import { pathOf } from './objects.ts';
import type { DataSourceScenario } from './scenario.ts';
import type { Wishes } from './wishes.ts';

/** A run at its end. */
export interface Ended {
  cluster: FakeCluster;
  disk: MemoryDisk;
  holdings: Holdings;
  scenario: DataSourceScenario;
  wishes: Wishes;
}

/** Whatever has become of a claim, its user is told so. */
export function expectSaid(claim: Claim, status: Condition['status'], reasons: string[], because: string): void {
  const said = populatedConditionOf(claim);
  if (said?.status === status && reasons.includes(said.reason)) return;
  const words = said ? `${said.status} ${said.reason}` : 'nothing';
  throw new Violation(`${pathOf(claim)} is ${claim.status?.phase} and says ${words}, although ${because}`);
}
