import { redactedMessageOf } from '../../../../runtime/redaction.ts';
import type { RemovableResource } from '../../drivers/sweepable-driver.ts';
import { type Finding, nameOfItem } from '../../sweep/finding.ts';
import { isTooYoung } from '../../sweep/judge-orphans.ts';
import { secretsOf } from './read-store.ts';
import type { StoreReadings } from './read-stores.ts';
import type { Sweeping } from './sweeping.ts';

export interface Removal {
  removed: string[];
  refused: { name: string; why: string }[];
}

/** Removes the named orphans; each other name gets the reason why it is left. */
export async function removeNamed(
  sweeping: Sweeping,
  named: readonly string[],
  findings: readonly Finding[],
  looked: StoreReadings,
): Promise<Removal> {
  const removal: Removal = { removed: [], refused: [] };
  for (const name of new Set(named)) {
    const why = await removeOne(sweeping, name, findings, looked);
    if (why === undefined) removal.removed.push(name);
    else removal.refused.push({ name, why });
  }
  return removal;
}

/** The reason why it was left; undefined if it was removed. */
async function removeOne(
  sweeping: Sweeping,
  name: string,
  findings: readonly Finding[],
  looked: StoreReadings,
): Promise<string | undefined> {
  const meant = findings.filter((each) => each.name === name && each.verdict !== 'missing');
  if (meant.length === 0) return whyUnknown(name, findings, looked);
  // Another account may have a resource of the same name.
  const whys: (string | undefined)[] = [];
  for (const finding of meant) whys.push(await removeFound(sweeping, finding, looked));
  return whys.find((why) => why !== undefined);
}

async function removeFound(sweeping: Sweeping, finding: Finding, looked: StoreReadings): Promise<string | undefined> {
  if (finding.verdict !== 'orphaned' && finding.verdict !== 'unclaimed') return finding.message;
  if (isTooYoung(finding.madeAt, sweeping.now()))
    return 'It is less than an hour old, so it may still be in use: try later';
  const store = looked.stores.get(finding.store);
  const item = removable(finding);
  if (!store || !item) return 'It is not something that can be removed';
  try {
    const secrets = await secretsOf(sweeping, store);
    const { parameters, driver } = store;
    const outcome = await driver.removeOwned({ parameters, secrets, deadline: sweeping.deadline, item });
    return outcome.result === 'removed' ? undefined : outcome.message;
  } catch (error) {
    return redactedMessageOf(error);
  }
}

function removable({ kind, name, owner, user }: Finding): RemovableResource | undefined {
  const plain = name.slice(name.indexOf('/') + 1);
  if (kind === 'credentials') return undefined;
  if (kind !== 'key') return { kind, name: plain, owner };
  return user ? { kind, name: plain, owner, user } : undefined;
}

function whyUnknown(name: string, findings: readonly Finding[], { found }: StoreReadings): string {
  const orphan = findings.find(({ message }) => name.startsWith('key/') && message.includes(name.slice('key/'.length)));
  if (orphan) return `It is removed together with ${orphan.name}: name that instead`;
  const isThere = found.some(({ item }) => {
    return nameOfItem(item.kind, item.name) === name || item.keys.some(({ id }) => nameOfItem('key', id) === name);
  });
  if (isThere) return 'It is not an orphan: an object of a cluster owns or uses it, or that is unknown at the moment';
  return 'It does not exist in the stores that were read';
}
