import { expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { yamlText } from '../../../cli/install/yaml-text.ts';
import { defaultChoices } from '../../../lib/install/choices.ts';
import { desiredObjects } from '../../../lib/install/desired.ts';

const objectsIn = (text: string) => parseAllDocuments(text).map((each) => each.toJS());

test('the YAML has every object, whole and in an order that applies', () => {
  expect(objectsIn(yamlText({}, '1.0.0'))).toEqual(desiredObjects(defaultChoices, '1.0.0'));
});

test('what is chosen counts', () => {
  const names = objectsIn(yamlText({ capabilities: ['buckets'], runRole: false }, '1.0.0')).map(
    ({ metadata }) => metadata.name,
  );
  expect(names).toContain('buckets.cosi.io');
  expect(names).not.toContain('longshore-run');
  expect(names).not.toContain('longshore-hold-accepting-claims');
});

test('the configuration of the webhook is part of it where it is chosen', () => {
  const kinds = objectsIn(yamlText({ webhook: { url: 'https://10.0.0.1:8443' } }, '1.0.0')).map(({ kind }) => kind);
  expect(kinds).toContain('MutatingWebhookConfiguration');
});

test('ReferenceGrant is defined on request only', () => {
  const [first] = objectsIn(yamlText({ referenceGrants: true }, '1.0.0'));
  expect(first.metadata.name).toBe('referencegrants.gateway.networking.k8s.io');
  expect(yamlText({}, '1.0.0')).not.toContain('referencegrants.gateway.networking.k8s.io');
});

test('it says what it is, and has no anchors, which not every tool reads', () => {
  const text = yamlText({ referenceGrants: true }, '1.0.0');
  expect(text.split('\n')[0]).toBe(
    '# Longshore 1.0.0: transfers, buckets, data-sources. Printed by `longshore install -o yaml`.',
  );
  expect(text).not.toMatch(/: [&*]\w/);
});
