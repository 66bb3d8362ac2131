import { describe, expect, test } from '@jest/globals';
import { appliesTo, confirmationAnnotation, howToConfirm } from '../../../lib/kubernetes/namespace-consent.ts';
import type { Namespace, ObjectMeta } from '../../../lib/kubernetes/objects.ts';
import { grant } from '../../support/builders.ts';

const made = '2026-03-01T12:00:00Z';
const earlier = '2026-03-01T11:59:59Z';
const later = '2026-03-01T12:00:01Z';
const namespace: Namespace = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'stage', uid: 'uid-2', creationTimestamp: made },
};
const consent = (metadata: Partial<ObjectMeta>) => grant({ metadata: { creationTimestamp: earlier, ...metadata } });
/** The server notes when a manager last changed, or took off, any of the fields that it had. */
const changed = (time: string, fieldsV1: Record<string, unknown>) => ({
  managedFields: [{ manager: 'kubectl', time, fieldsV1 }],
});

describe('what was agreed to with a namespace by its name', () => {
  test.each([
    ['written after the namespace was made', { creationTimestamp: later }],
    ['written in the same second, as when both are in one file', { creationTimestamp: made }],
    ['confirmed by the uid', { annotations: { [confirmationAnnotation]: 'uid-2' } }],
    ['confirmed among others', { annotations: { [confirmationAnnotation]: 'uid-1, uid-2' } }],
    ['for whoever has the name', { annotations: { [confirmationAnnotation]: '*' } }],
  ])('counts for the present one when %s', (_, metadata) => {
    expect(appliesTo(consent(metadata), namespace)).toBe(true);
  });

  test.each([
    ['written before the namespace was made', {}],
    ['confirmed for another one', { annotations: { [confirmationAnnotation]: 'uid-1' } }],
    ['changed since then by whoever wrote it, as in a label', changed(later, { 'f:metadata': {}, 'f:spec': {} })],
    ['changed since then in its spec, or was once in a label', changed(later, { 'f:spec': {} })],
    ['of a time that cannot be read', { creationTimestamp: 'soon' }],
  ])('is void when it was %s', (_, metadata) => {
    expect(appliesTo(consent(metadata), namespace)).toBe(false);
  });

  test('is void while there is no such namespace, and for one whose age cannot be told', () => {
    expect(appliesTo(consent({ creationTimestamp: later }), undefined)).toBe(false);
    const { creationTimestamp: _, ...metadata } = namespace.metadata;
    expect(appliesTo(consent({ creationTimestamp: later }), { ...namespace, metadata })).toBe(false);
  });
});

test('its owner is told what to write where', () => {
  expect(howToConfirm(namespace)).toContain(`${confirmationAnnotation}: uid-2`);
});
