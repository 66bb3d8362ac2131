import type { AnyObject } from './installable.ts';

const nameLabel = 'app.kubernetes.io/name';
const versionLabel = 'app.kubernetes.io/version';
const managedByLabel = 'app.kubernetes.io/managed-by';
const product = 'longshore';
/** Other tools write the name of the product on what they install of it; only this command calls itself that. */
const manager = 'longshore-install';

/** Selects what this command has installed. */
export const ourSelector = `${nameLabel}=${product},${managedByLabel}=${manager}`;

export function withLabels(object: AnyObject, version: string): AnyObject {
  const labels = { [nameLabel]: product, [versionLabel]: version, [managedByLabel]: manager };
  return { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...labels } } };
}

export function isOurs({ metadata: { labels } }: AnyObject): boolean {
  return labels?.[nameLabel] === product && labels[managedByLabel] === manager;
}

export function versionOf({ metadata: { labels } }: AnyObject): string | undefined {
  return labels?.[versionLabel];
}

/** True if the first version is newer. A pre-release is older than its release. */
export function isNewer(one: string, other: string): boolean {
  return compareVersions(one, other) > 0;
}

function compareVersions(one: string, other: string): number {
  const [[oneCore, onePre], [otherCore, otherPre]] = [partsOf(one), partsOf(other)];
  const byCore = compareParts(oneCore, otherCore);
  if (byCore !== 0 || onePre === otherPre) return byCore;
  if (onePre === undefined || otherPre === undefined) return onePre === undefined ? 1 : -1;
  return compareParts(onePre.split('.'), otherPre.split('.'));
}

function partsOf(version: string): [string[], string | undefined] {
  const [core = '', ...pre] = version.replace(/\+.*$/, '').split('-');
  return [core.split('.'), pre.length > 0 ? pre.join('-') : undefined];
}

function compareParts(one: readonly string[], other: readonly string[]): number {
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const [a, b] = [one[index] ?? '', other[index] ?? ''];
    const difference = Number(a) - Number(b);
    const order = Number.isNaN(difference) ? Number(a > b) - Number(a < b) : difference;
    if (order !== 0) return order;
  }
  return 0;
}
