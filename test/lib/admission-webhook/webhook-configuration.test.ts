import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { policyNames } from '../../../lib/admission-webhook/mutating-policies.ts';
import { mutations } from '../../../lib/admission-webhook/mutations.ts';
import { webhookConfiguration } from '../../../lib/admission-webhook/webhook-configuration.ts';

const place = { url: 'https://webhook.example.com/longshore/' };

describe.each(policyNames)('the webhook in the place of %s', (name) => {
  const file = new URL(`../../../manifests/admission/${name}.yaml`, import.meta.url);
  const policy = parseAllDocuments(readFileSync(file, 'utf8'))[0]?.toJS();
  const webhook = webhookConfiguration(place).webhooks.find((each) => each.name === `${name}.longshore.dev`);
  const plain = (expression: string) => expression.replaceAll(/\s+/g, ' ');

  test('has the rules and conditions of the policy', () => {
    expect(webhook?.rules).toEqual(policy.spec.matchConstraints.resourceRules);
    const conditions = policy.spec.matchConditions as { name: string; expression: string }[];
    expect(webhook?.matchConditions.map(({ name, expression }) => [name, plain(expression)])).toEqual(
      conditions.map(({ name, expression }) => [name, plain(expression)]),
    );
  });

  test('hinders nobody when it fails, like the policy, and is asked again when others change the claim', () => {
    expect(webhook).toMatchObject({ failurePolicy: 'Ignore', reinvocationPolicy: 'IfNeeded', sideEffects: 'None' });
    expect(policy.spec).toMatchObject({ failurePolicy: 'Ignore', reinvocationPolicy: 'IfNeeded' });
  });

  test('is answered', () => {
    expect(mutations[name]).toBeInstanceOf(Function);
    expect(webhook?.clientConfig).toEqual({ url: `https://webhook.example.com/longshore/${name}` });
  });
});

test('each mutating policy of the manifests has one', () => {
  expect(policyNames).toEqual([
    'hold-accepting-claims',
    'keep-references-to-snapshots',
    'restored-claims-are-ordinary',
  ]);
});

test('a Service has a path for each policy, and the authority is in base64', () => {
  const service = { namespace: 'longshore-system', name: 'admission', port: 8443 };
  const [first] = webhookConfiguration({ service, caBundle: 'PEM' }).webhooks;
  expect(first?.clientConfig).toEqual({
    service: { ...service, path: '/hold-accepting-claims' },
    caBundle: Buffer.from('PEM').toString('base64'),
  });
});

test('only the policies of the capabilities that are deployed', () => {
  const namesFor = (...capabilities: ('transfers' | 'buckets' | 'data-sources')[]) =>
    webhookConfiguration({ ...place, capabilities }).webhooks.map(({ name }) => name.replace('.longshore.dev', ''));
  expect(namesFor('transfers')).toEqual(['hold-accepting-claims', 'restored-claims-are-ordinary']);
  expect(namesFor('data-sources')).toEqual(['keep-references-to-snapshots']);
  expect(namesFor('buckets')).toEqual([]);
});
