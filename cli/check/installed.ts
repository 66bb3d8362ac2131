import { isDeepStrictEqual } from 'node:util';
import { groupOf } from '../../lib/kubernetes/resources.ts';
import type { AnyObject, ClusterApi } from '../connect/cluster-api.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { isContained, type Released, releasedObjects } from './release-objects.ts';

interface Crd extends AnyObject {
  spec: { versions?: { name: string; served?: boolean; schema?: unknown }[] };
  status?: { conditions?: { type: string; status: string }[] };
}

const crdsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** The kinds of this release, as this release defines them. */
const remedy = 'longshore install';

export async function checkCrds(api: ClusterApi): Promise<Finding[]> {
  const released = await releasedObjects('manifests/crds');
  const findings = await Promise.all(released.map((each) => checkCrd(api, each)));
  return summed(findings, 'kinds', (count) => `${count} kinds as of this release`);
}

async function checkCrd(api: ClusterApi, { object }: Released): Promise<Finding> {
  const { name } = object.metadata;
  const present = await api.get<Crd>(`${crdsPath}/${name}`);
  if (!present) return problem('kinds', `${name} is missing`, remedy);
  const isServed = present.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True');
  if (!isServed) return problem('kinds', `${name} is not served: see its conditions`, `kubectl describe crd ${name}`);
  const differing = versionsThatDiffer(object as Crd, present);
  if (differing.length === 0) return ok('kinds', name);
  return problem('kinds', `${name} is of another release (${differing.join(', ')} differs)`, remedy);
}

/** What describes fields for people may differ; what decides about them may not. */
function versionsThatDiffer(wanted: Crd, present: Crd): string[] {
  return (wanted.spec.versions ?? []).flatMap(({ name, served, schema }) => {
    const found = present.spec.versions?.find((each) => each.name === name);
    const isSame = found?.served === served && isDeepStrictEqual(undescribed(schema), undescribed(found?.schema));
    return isSame ? [] : [name];
  });
}

function undescribed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(undescribed);
  if (typeof schema !== 'object' || schema === null) return schema;
  // A field that is null is not stored.
  const fields = Object.entries(schema).filter(([, value]) => value !== null);
  const kept = fields.filter(([key, value]) => key !== 'description' || typeof value !== 'string');
  return Object.fromEntries(kept.map(([key, value]) => [key, undescribed(value)]));
}

const plurals: Readonly<Record<string, string>> = {
  ValidatingAdmissionPolicy: 'validatingadmissionpolicies',
  ValidatingAdmissionPolicyBinding: 'validatingadmissionpolicybindings',
  MutatingAdmissionPolicy: 'mutatingadmissionpolicies',
  MutatingAdmissionPolicyBinding: 'mutatingadmissionpolicybindings',
};

/** The policies of this release, each with its binding. */
export async function checkPolicies(api: ClusterApi): Promise<Finding[]> {
  const released = await releasedObjects('manifests/admission');
  const served = await servedPlurals(api);
  const wanted = released.filter(({ object }) => served.includes(plurals[object.kind] ?? ''));
  const lacking = [...new Set(released.filter((each) => !wanted.includes(each)).map(({ object }) => object.kind))];
  const unserved = lacking.filter((kind) => !kind.endsWith('Binding'));
  const findings = await Promise.all(wanted.map((each) => checkPolicy(api, each)));
  return [
    ...unserved.map((kind) => warning('policies', `the cluster does not serve ${kind}: see docs/admission.md`)),
    ...summed(findings, 'policies', (count) => `${count} policies and bindings as of this release`),
  ];
}

async function servedPlurals(api: ClusterApi): Promise<string[]> {
  const list = await api.get<{ resources?: { name: string }[] }>('/apis/admissionregistration.k8s.io/v1');
  return (list?.resources ?? []).map(({ name }) => name);
}

async function checkPolicy(api: ClusterApi, { object }: Released): Promise<Finding> {
  const { kind, apiVersion, metadata } = object;
  const name = `${kind} ${metadata.name}`;
  const present = await api.get(`/apis/${groupOf({ apiVersion })}/v1/${plurals[kind]}/${metadata.name}`);
  if (!present) return problem('policies', `${name} is missing`, remedy);
  if (isContained(object.spec, present.spec)) return ok('policies', name);
  const isBinding = kind.endsWith('Binding');
  return problem('policies', `${name} ${isBinding ? 'does not bind its policy' : 'is of another release'}`, remedy);
}

/** What is well in one line; everything else by itself. */
function summed(findings: readonly Finding[], subject: string, text: (count: number) => string): Finding[] {
  const others = findings.filter(({ level }) => level !== 'ok');
  const count = findings.length - others.length;
  return [...others, ...(count > 0 ? [ok(subject, text(count))] : [])];
}
