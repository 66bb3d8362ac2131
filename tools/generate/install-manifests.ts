import { readdirSync, readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { type CapabilityName, capabilityNames } from '../../lib/capabilities/names.ts';
import type { AnyObject, Installable } from '../../lib/install/installable.ts';
import type { Declaration } from '../../lib/reconcile/declaration.ts';
import { runManifest } from './run-role.ts';

/** The module from which `longshore install` has its objects, so that a bundle of the command line contains them. */

const root = new URL('../../', import.meta.url);
/** Beside the module. */
const types = './installable.ts';

type Declared = Declaration & { capability?: string };

export function installModule(declarations: readonly Declared[]): string {
  const lines = installables(declarations).map((each) => `  ${JSON.stringify(each)},\n`);
  return `// Written by \`npm run generate\` from manifests/ and deployment/.
import type { Installable } from '${types}';

export const installables: readonly Installable[] = [
${lines.join('')}];
`;
}

function installables(declarations: readonly Declared[]): Installable[] {
  const base = ['manifests/0-namespace.yaml', ...filesIn('manifests/crds'), ...filesIn('manifests/admission')];
  return [
    ...[...base, ...filesIn('manifests/populators')].flatMap((file) => read(file).map(inBase)),
    ...filesIn('manifests/users').flatMap((file) =>
      read(file).map((object): Installable => ({ set: 'users', object })),
    ),
    ...subsets.flatMap((exactly) => {
      const all = runManifest(declarations.filter(({ capability }) => !capability || isOf(capability, exactly)));
      return objectsIn(all).map((object): Installable => ({ set: 'run', exactly, object }));
    }),
    ...filesIn('manifests/rbac').flatMap((file) => ofFunction(file, declarations)),
    ...read('deployment/reference-grants.yaml').map((object): Installable => ({ set: 'grants', object })),
  ];
}

/** Whether an administrator wants what this one is for is his decision: see docs/buckets.md. */
const optional = 'manifests/rbac/forward-secrets.yaml';

function ofFunction(file: string, declarations: readonly Declared[]): Installable[] {
  if (file === optional) return [];
  const { capability } = declarations.find(({ name }) => file.endsWith(`/${name}.yaml`)) ?? {};
  const needed = capabilityNames.filter((name) => name === capability);
  const wanted = needed.length > 0 ? { capabilities: needed } : {};
  return read(file).map((object): Installable => ({ set: 'functions', ...wanted, object }));
}

const capabilitiesOfGroup: Readonly<Record<string, CapabilityName>> = {
  'transfer.storage.k8s.io': 'transfers',
  'cosi.io': 'buckets',
  'snapshot.storage.k8s.io': 'data-sources',
};

/** As in docs/admission.md: without its capability a policy does harm. */
const capabilitiesOfPolicy: Readonly<Record<string, readonly CapabilityName[]>> = {
  'hold-accepting-claims': ['transfers'],
  'accepting-claims-are-held': ['transfers'],
  'offered-claims-are-safe': ['transfers'],
  'marks-are-longshores': ['transfers', 'data-sources'],
  'restored-claims-are-ordinary': ['transfers'],
  'keep-references-to-snapshots': ['data-sources'],
  'references-are-not-dropped': ['data-sources'],
  'copies-keep-their-snapshots': ['data-sources'],
};

function inBase(object: AnyObject): Installable {
  const capabilities = capabilitiesOf(object);
  return { set: 'base', ...(capabilities ? { capabilities } : {}), object };
}

function capabilitiesOf(object: AnyObject): readonly CapabilityName[] | undefined {
  const { kind, metadata } = object;
  if (kind === 'Namespace') return undefined;
  if (kind === 'CustomResourceDefinition') return known(capabilitiesOfGroup[groupOf(object)], metadata.name);
  if (kind === 'VolumePopulator') return metadata.name === 'longshore-transfer' ? ['transfers'] : ['data-sources'];
  return known(capabilitiesOfPolicy[metadata.name.replace(/^longshore-/, '')], metadata.name);
}

function groupOf({ spec }: AnyObject): string {
  return (spec as { group: string }).group;
}

function known(found: CapabilityName | readonly CapabilityName[] | undefined, name: string): readonly CapabilityName[] {
  if (!found) throw new Error(`tools/generate/install-manifests.ts does not say which capability ${name} belongs to`);
  return typeof found === 'string' ? [found] : found;
}

/** Every choice of capabilities: the role of `longshore run` is as large as they need it. */
const subsets = Array.from({ length: 2 ** capabilityNames.length - 1 }, (_, number) =>
  capabilityNames.filter((_, index) => ((number + 1) >> index) & 1),
);

function isOf(capability: string, names: readonly CapabilityName[]): boolean {
  return names.some((name) => name === capability);
}

function filesIn(folder: string): string[] {
  const names = readdirSync(new URL(`${folder}/`, root)).filter((name) => name.endsWith('.yaml'));
  return names.sort().map((name) => `${folder}/${name}`);
}

function read(file: string): AnyObject[] {
  return objectsIn(readFileSync(new URL(file, root), 'utf8'));
}

function objectsIn(text: string): AnyObject[] {
  return parseAllDocuments(text).map((document) => document.toJS() as AnyObject);
}
