import { isDeepStrictEqual } from 'node:util';
import type { AnyObject as Desired } from '../../lib/install/installable.ts';
import { webhookKind } from '../../lib/install/webhook-choice.ts';
import { groupOf } from '../../lib/kubernetes/resources.ts';
import type { AnyObject, ClusterApi } from '../connect/cluster-api.ts';
import { areAllMissing, type Finding, missing, noneOf, ok, problem, warning } from './finding.ts';
import { isContained } from './is-contained.ts';

interface Crd extends AnyObject {
  spec: { versions?: { name: string; served?: boolean; schema?: unknown }[] };
  status?: { conditions?: { type: string; status: string }[] };
}

const crdsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const remedy = 'longshore install';

type Reader = Pick<ClusterApi, 'get'>;

/** The kinds of an installation, as this release defines them. */
export async function checkCrds(api: Reader, desired: readonly Desired[]): Promise<Finding[]> {
  const wanted = desired.filter(({ kind }) => kind === 'CustomResourceDefinition');
  const findings = await Promise.all(wanted.map((each) => checkCrd(api, each)));
  return summed(findings, 'CRDs', 'CRDs');
}

async function checkCrd(api: Reader, object: Desired): Promise<Finding> {
  const { name } = object.metadata;
  const present = await api.get<Crd>(`${crdsPath}/${name}`);
  if (!present) return missing('CRDs', name);
  const isServed = present.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True');
  if (!isServed) return problem('CRDs', `${name} is not served: see its conditions`, `kubectl describe crd ${name}`);
  const differing = versionsThatDiffer(object as Crd, present);
  if (differing.length === 0) return ok('CRDs', name);
  return problem('CRDs', `${name} is of another release (${differing.join(', ')} differs)`, remedy);
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
  const kept = Object.entries(schema).filter(([key, value]) => key !== 'description' || typeof value !== 'string');
  return Object.fromEntries(kept.map(([key, value]) => [key, undescribed(value)]));
}

const plurals: Readonly<Record<string, string>> = {
  ValidatingAdmissionPolicy: 'validatingadmissionpolicies',
  ValidatingAdmissionPolicyBinding: 'validatingadmissionpolicybindings',
  MutatingAdmissionPolicy: 'mutatingadmissionpolicies',
  MutatingAdmissionPolicyBinding: 'mutatingadmissionpolicybindings',
  MutatingWebhookConfiguration: 'mutatingwebhookconfigurations',
};

/** The policies of an installation, each with its binding. */
export async function checkPolicies(api: Reader, desired: readonly Desired[]): Promise<Finding[]> {
  const policies = desired.filter(({ kind }) => plurals[kind] !== undefined);
  const served = await servedPlurals(api);
  const wanted = policies.filter(({ kind }) => served.includes(plurals[kind] ?? ''));
  const lacking = [...new Set(policies.filter((each) => !wanted.includes(each)).map(({ kind }) => kind))];
  const hasWebhook = desired.some(({ kind }) => kind === webhookKind);
  const unserved = lacking.filter(
    (kind) => !kind.endsWith('Binding') && !(hasWebhook && kind === 'MutatingAdmissionPolicy'),
  );
  const findings = await Promise.all(wanted.map((each) => checkPolicy(api, each)));
  return [
    ...unserved.map((kind) => warning('policies', `the cluster does not serve ${kind}: see docs/admission.md`)),
    ...summed(findings, 'policies', 'policies and bindings'),
  ];
}

async function servedPlurals(api: Reader): Promise<string[]> {
  const list = await api.get<{ resources?: { name: string }[] }>('/apis/admissionregistration.k8s.io/v1');
  return (list?.resources ?? []).map(({ name }) => name);
}

async function checkPolicy(api: Reader, object: Desired): Promise<Finding> {
  const { kind, apiVersion, metadata } = object;
  const name = `${kind} ${metadata.name}`;
  const present = await api.get(`/apis/${groupOf({ apiVersion })}/v1/${plurals[kind]}/${metadata.name}`);
  if (!present) return missing('policies', name);
  if (isContained(contentOf(object), contentOf(present))) return ok('policies', name);
  const isBinding = kind.endsWith('Binding');
  return problem('policies', `${name} ${isBinding ? 'does not bind its policy' : 'is of another release'}`, remedy);
}

function contentOf({ spec, webhooks }: Record<string, unknown>): object {
  return { spec, webhooks };
}

/** What is well in one line; everything else by itself, but for a cluster that has none of it. */
function summed(findings: readonly Finding[], subject: string, what: string): Finding[] {
  const others = findings.filter(({ level }) => level !== 'ok');
  const count = findings.length - others.length;
  if (areAllMissing(findings)) return [noneOf(findings.length, subject, what)];
  return [...others, ...(count > 0 ? [ok(subject, `${count} ${what} as of this release`)] : [])];
}
