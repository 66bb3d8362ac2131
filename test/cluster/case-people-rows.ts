import type { Person } from './case-people.ts';

/** The exit code, and what is said: however it is folded, with one blank between words. */
export type Cell = readonly [code: number, said: string | RegExp];
/** Of one person, of those who may read in the namespace, or of all others. */
export type Cells = Readonly<Partial<Record<Person | 'readers' | 'others', Cell>>>;

export interface Row {
  name: string;
  words: (person: Person) => readonly string[];
  cells: Cells;
  /** In a cluster without Longshore, by who may do everything there. */
  elsewhere: Cell;
}

const groups: Readonly<Record<string, string>> = {
  storagetransferrequests: '.transfer.storage.k8s.io',
  storagetransferapprovals: '.transfer.storage.k8s.io',
  volumesnapshotlinks: '.snapshot.storage.k8s.io',
  buckets: '.cosi.io',
};

/** Whoever lacks a right in the namespace is told which, and whom to ask. */
export function lacks(verb: string, plural: string): Cell {
  const where = 'in namespace team-a: ask an administrator of namespace team-a';
  return [1, `you may not ${verb} ${plural} ${where} for the verb ${verb} on ${plural}${groups[plural] ?? ''}`];
}

export const unserved = (kind: string): Cell => [
  1,
  new RegExp(`^the cluster has no kind ${kind} \\(.*\\): check the context, or ask a cluster administrator whether`),
];
export const missing = (what: string): Cell => [
  1,
  `there is no ${what}: check the name, the namespace (-n) and the context`,
];
export const own = ['-n', 'team-a'];

const readers: readonly Person[] = ['view', 'edit', 'admin'];

/** What is expected of one person. */
export function cellFor({ name, cells }: Pick<Row, 'name' | 'cells'>, person: Person): Cell {
  const cell = cells[person] ?? (readers.includes(person) ? cells.readers : undefined) ?? cells.others;
  if (!cell) throw new Error(`nothing is expected of ${name} as ${person}`);
  return cell;
}
