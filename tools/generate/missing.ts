import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { capabilities, forwardedFunctions } from '../../lib/capabilities/all-capabilities.ts';
import { declared } from '../../lib/capabilities/declarations.ts';
import { capabilityNames } from '../../lib/capabilities/names.ts';
import { declarations } from '../../lib/compose/declarations.ts';
import { namesOfKind } from '../../lib/kubernetes/kind-names.ts';
import { groupOf, resourceOfKind } from '../../lib/kubernetes/resources.ts';
import { metricNames } from '../../lib/runtime/metric-definitions.ts';
import { file } from '../../test/support/completed-service.ts';
import { definitions } from './definitions.ts';
import { groupsWithTypes } from './outputs.ts';

/** The parts that are written by hand, but must exist for each declaration: the missing ones, and what to add. */

const root = new URL('../../', import.meta.url);
const isThere = (path: string) => existsSync(new URL(path, root));
const filesIn = (path: string) => readdirSync(new URL(path, root));
const names = new Set(declarations.map(({ name }) => name));
const capabilityOf = new Map(declarations.map(({ name, capability }) => [name, capability]));

export function missing(): string[] {
  return [
    ...undeclared(),
    ...withoutEntryPoint(),
    ...inServerless(),
    ...inRoutes(),
    ...leftOver(),
    ...inKinds(),
    ...unexplained(),
  ];
}

/** Folders of steps that are missing in the list. */
function undeclared(): string[] {
  return capabilityNames.flatMap((capability) => {
    const listed = new Set(declared[capability].map(({ name }) => name));
    return filesIn(`lib/capabilities/${capability}/steps`)
      .filter((name) => !name.endsWith('.ts') && !listed.has(name))
      .map((name) => `lib/capabilities/declarations.ts: add the declaration of ${name} to ${capability}`);
  });
}

function withoutEntryPoint(): string[] {
  const wanted = [...names].filter((name) => !isThere(`functions/${name}.ts`));
  return [
    ...wanted.map((name) => `functions/${name}.ts: add the entry point, which exports a handler`),
    ...filesIn('functions')
      .map((each) => each.replace(/\.ts$/, ''))
      .filter((name) => !names.has(name))
      .map((name) => `functions/${name}.ts: add a declaration of it, or remove it`),
  ];
}

function inServerless(): string[] {
  const { functions } = file;
  const blocks = [...capabilityOf].flatMap(([name, capability]) => {
    const block = functions[name];
    if (!block)
      return [`serverless.yml: add a block for ${name}${capability ? `, with capability: ${capability}` : ''}`];
    if (block.capability === capability) return [];
    return [`serverless.yml: the block of ${name} must have capability: ${capability ?? 'left out'}`];
  });
  const sent = new Set(functions.forward?.sendsTo);
  return [
    ...blocks,
    ...[...forwardedFunctions]
      .filter((name) => !sent.has(name))
      .map((name) => `serverless.yml: add ${name} to sendsTo of forward, as changes lead to it`),
    ...Object.keys(functions)
      .filter((name) => !names.has(name))
      .map((name) => `serverless.yml: remove the block of ${name}, or declare it`),
  ];
}

function inRoutes(): string[] {
  const withKeys = declarations.filter(({ step, made }) => step ?? made).map(({ name }) => name);
  return [
    ...withKeys
      .filter((name) => !forwardedFunctions.has(name))
      .map(
        (name) =>
          `capability.ts of ${capabilityOf.get(name)}: add ${name} to the functions, and to routes.ts what leads to it`,
      ),
    ...capabilities.flatMap((capability) =>
      capability.functions
        .filter((name) => !names.has(name))
        .map(
          (name) => `capability.ts of ${capability.name}: ${name} is not declared in lib/capabilities/declarations.ts`,
        ),
    ),
  ];
}

/** Roles of functions that no longer exist. Two files belong to no single function. */
function leftOver(): string[] {
  return filesIn('manifests/rbac')
    .filter((each) => !['forward-secrets.yaml', 'settings.yaml'].includes(each))
    .filter((each) => !names.has(each.replace(/\.yaml$/, '')))
    .map((each) => `manifests/rbac/${each}: remove it, as no such function is declared`);
}

/** The entries of our own kinds in the client, which must agree with their definitions. */
function inKinds(): string[] {
  return definitions().flatMap((definition) => {
    const { file: path, apiVersion, kind, plural, namespaced, shortNames } = definition;
    const resource = resourceOfKind(apiVersion, kind);
    const entry = `{ apiVersion: '${apiVersion}', kind: '${kind}', plural: '${plural}', namespaced: ${namespaced} }`;
    if (resource?.plural !== plural || resource.namespaced !== namespaced) {
      return [`lib/kubernetes/kinds.ts: have an entry with ${entry}, as ${path} defines it`];
    }
    if (!groupsWithTypes.includes(groupOf(resource))) {
      return [`tools/generate/outputs.ts: say in typeFiles where the types of ${groupOf(resource)} go`];
    }
    const unknown = shortNames.filter((name) => !namesOfKind(resource).includes(name));
    return unknown.map((name) => `lib/kubernetes/kind-names.ts: ${kind} has the short name ${name} in ${path}`);
  });
}

function unexplained(): string[] {
  const pages = filesIn('docs').filter((name) => name.endsWith('.md'));
  const text = pages.map((name) => readFileSync(new URL(`docs/${name}`, root), 'utf8')).join('\n');
  return metricNames
    .filter((name) => !text.includes(`\`${name}\``))
    .map((name) => `docs/observing.md: explain the metric ${name}`);
}
