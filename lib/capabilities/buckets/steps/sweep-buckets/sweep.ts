import { findMissing } from '../../sweep/find-missing.ts';
import type { Finding } from '../../sweep/finding.ts';
import { type Evidence, findOrphans, steadyContents } from '../../sweep/judge-orphans.ts';
import type { Report } from '../../sweep/report.ts';
import { accountOf, storeOfContent } from '../../sweep/stores.ts';
import type { Views } from '../../sweep/views.ts';
import { type Reading, readHeldKeys, readViews } from './read-clusters.ts';
import { readStores, type StoreReadings } from './read-stores.ts';
import { removeNamed } from './remove-named.ts';
import type { Sweeping } from './sweeping.ts';

/**
 * Reads clusters, stores, and clusters again: a resource in a store was created for an object that existed before it, so one
 * that the second reading does not know has lost its owner. Removes only named resources.
 */
export async function sweep(sweeping: Sweeping, named: readonly string[] = []): Promise<Report> {
  const before = await readViews(sweeping);
  const looked = await readStores(sweeping, before.value);
  const first = await compare(sweeping, before.value, looked.value);
  const removal = { removed: [] as string[], refused: [] as { name: string; why: string }[] };
  const problems = new Set([...before.problems, ...looked.problems, ...first.problems]);
  if (named.length > 0) {
    // A removal needs the present state.
    const again = await compare(sweeping, before.value, looked.value);
    for (const problem of again.problems) problems.add(problem);
    Object.assign(removal, await removeNamed(sweeping, named, again.value.findings, looked.value));
  }
  const findings = first.value.findings.filter(({ name }) => !removal.removed.includes(name));
  const unread = { clusters: first.value.unread, stores: looked.value.silent };
  const { concerned } = looked.value;
  return { at: sweeping.now().toISOString(), problems: [...problems], concerned, unread, findings, ...removal };
}

interface Comparison {
  findings: Finding[];
  /** The clusters that could not be read once or twice. */
  unread: string[];
}

async function compare(sweeping: Sweeping, before: Views, looked: StoreReadings): Promise<Reading<Comparison>> {
  const { clusters, drivers, identity, now } = sweeping;
  const after = await readViews(sweeping);
  // Of a cluster that could not be read at first, no store was read.
  const unread = [...new Set([...before.unread, ...after.value.unread])];
  const views = { ...after.value, unread };
  const steady = steadyContents(before, views, identity);
  const withUser = new Set(looked.found.filter(({ item }) => item.kind === 'user').map(({ item }) => item.owner));
  const held = await readHeldKeys(
    sweeping,
    steady.filter(({ content }) => withUser.has(content.spec.bucketRef.uuid)),
  );
  const lost = findMissing(steady, looked, held.value, drivers);
  const placeOfThings: Evidence['accountOf'] = ({ cluster, content }, kind) => {
    const store = storeOfContent(cluster, content, drivers);
    return store && accountOf(store, kind);
  };
  const { found } = looked;
  const left = findOrphans({ found, after: views, clusters, held: held.value, now: now(), accountOf: placeOfThings });
  const problems = [...after.problems, ...held.problems];
  return { value: { findings: [...left, ...lost], unread }, problems };
}
