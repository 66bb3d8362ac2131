import { forwardedFunctions } from '../../lib/capabilities/all-capabilities.ts';
import type { Declaration, Permission, Verb } from '../../lib/reconcile/declaration.ts';
import { account, roleAndBinding } from './rbac.ts';

/** In the order in which they are written elsewhere. */
const verbs: readonly Verb[] = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'write'];
const name = 'run';
const settings: Permission = {
  verbs: ['get'],
  on: [{ group: '', plural: 'configmaps' }],
  names: ['longshore'],
  why: 'The switches of an administrator (docs/configuration.md).',
};

/** What `longshore run` may do: what the forwarder and all steps may do together. */
export function runManifest(declarations: readonly Declaration[]): string {
  const parts = declarations.filter(({ name: each }) => each === 'forward' || forwardedFunctions.has(each));
  const everywhere = parts.flatMap(({ permissions }) => permissions);
  const own = parts.flatMap(({ ownPermissions }) => ownPermissions?.permissions ?? []);
  const documents = [
    `# What \`longshore run\` may do: all that the forwarder and the steps may do together, of which each file in manifests/rbac
# gives the reasons (docs/running.md). Apply it only where \`longshore run\` is used.
# Written by \`npm run generate\` from the declarations of the functions.
${account(name)}`,
    ...roleAndBinding('ClusterRole', name, unionOf(everywhere)),
    ...roleAndBinding('Role', name, [...unionOf(own), settings]),
  ];
  return `${documents.join('\n---\n')}\n`;
}

/** Every verb on every kind once, with the kinds of a group together that have the same verbs. */
function unionOf(permissions: readonly Permission[]): Permission[] {
  const single = permissions.flatMap((permission) =>
    permission.on.map((on) => ({ on, names: permission.names, verbs: permission.verbs })),
  );
  const objects = Map.groupBy(single, ({ on, names }) => JSON.stringify([on.group, on.plural, names]));
  const merged = [...objects.values()].flatMap((all) => {
    const [first] = all;
    if (!first) return [];
    const own = new Set(all.flatMap((each) => each.verbs));
    return [{ ...first, verbs: verbs.filter((verb) => own.has(verb)) }];
  });
  merged.sort((one, other) => compare(keyOf(one.on), keyOf(other.on)));
  const together = Map.groupBy(merged, ({ on, names, verbs: its }) => JSON.stringify([on.group, names, its]));
  return [...together.values()].flatMap((all) => {
    const [first] = all;
    if (!first) return [];
    return [{ verbs: first.verbs, on: all.map(({ on }) => on), ...(first.names ? { names: first.names } : {}) }];
  });
}

function keyOf({ group, plural }: { group: string; plural: string }): string {
  return `${group} ${plural}`;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : 1;
}
