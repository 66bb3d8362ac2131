import type { Finding } from '../../sweep/finding.ts';
import { type Evidence, judge, steadyContents } from '../../sweep/judge.ts';
import { missingFor } from '../../sweep/missing.ts';
import type { Report } from '../../sweep/report.ts';
import { accountOf, storeOfContent } from '../../sweep/stores.ts';
import type { Views } from '../../sweep/views.ts';
import { type Looked, lookIntoStores } from './find.ts';
import { type Reading, readHeld, readViews } from './read.ts';
import { removeNamed } from './remove.ts';
import type { Sweeping } from './sweeping.ts';

/**
 * Clusters, stores, and clusters once more: what is in a store was made for an object that was there before it, so what
 * the second reading does not know has lost its owner. Removes nothing but what is named.
 */
export async function sweep(sweeping: Sweeping, named: readonly string[] = []): Promise<Report> {
  const before = await readViews(sweeping);
  const looked = await lookIntoStores(sweeping, before.value);
  const first = await compare(sweeping, before.value, looked.value);
  const removal = { removed: [] as string[], refused: [] as { name: string; why: string }[] };
  const problems = new Set([...before.problems, ...looked.problems, ...first.problems]);
  if (named.length > 0) {
    // A removal depends on what holds at that moment.
    const again = await compare(sweeping, before.value, looked.value);
    for (const problem of again.problems) problems.add(problem);
    Object.assign(removal, await removeNamed(sweeping, named, again.value.findings, looked.value));
  }
  const findings = first.value.findings.filter(({ name }) => !removal.removed.includes(name));
  const unread = { clusters: first.value.unread, stores: looked.value.silent };
  const { concerned } = looked.value;
  return { at: sweeping.now().toISOString(), problems: [...problems], concerned, unread, findings, ...removal };
}

interface Compared {
  findings: Finding[];
  /** The clusters that could not be read once or twice. */
  unread: string[];
}

async function compare(sweeping: Sweeping, before: Views, looked: Looked): Promise<Reading<Compared>> {
  const { clusters, drivers, identity, now } = sweeping;
  const after = await readViews(sweeping);
  // A cluster that could not be read at first has been asked for none of its stores.
  const unread = [...new Set([...before.unread, ...after.value.unread])];
  const views = { ...after.value, unread };
  const steady = steadyContents(before, views, identity);
  const withUser = new Set(looked.found.filter(({ item }) => item.kind === 'user').map(({ item }) => item.owner));
  const held = await readHeld(
    sweeping,
    steady.filter(({ content }) => withUser.has(content.spec.bucketRef.uuid)),
  );
  const lost = missingFor(steady, looked, held.value, drivers);
  const placeOfThings: Evidence['accountOf'] = ({ cluster, content }, kind) => {
    const store = storeOfContent(cluster, content, drivers);
    return store && accountOf(store, kind);
  };
  const { found } = looked;
  const left = judge({ found, after: views, clusters, held: held.value, now: now(), accountOf: placeOfThings });
  const problems = [...after.problems, ...held.problems];
  return { value: { findings: [...left, ...lost], unread }, problems };
}
