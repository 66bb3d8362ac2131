import { answer } from '../../../lib/admission-webhook/answer.ts';
import type { PolicyName } from '../../../lib/admission-webhook/mutating-policies.ts';
import type { Operation } from '../../../lib/admission-webhook/operation.ts';

/** A review as the API server sends it, with much that no policy reads. */
export function reviewOf(request: object) {
  return {
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: 'f0c1a8d2-0000-4000-8000-000000000001',
      kind: { group: '', version: 'v1', kind: 'PersistentVolumeClaim' },
      resource: { group: '', version: 'v1', resource: 'persistentvolumeclaims' },
      operation: 'CREATE',
      userInfo: { username: 'jane', groups: ['system:authenticated'] },
      oldObject: null,
      dryRun: false,
      ...request,
    },
  };
}

export function claim(spec: object = {}, annotations?: Record<string, string>, metadata: object = {}) {
  return {
    kind: 'PersistentVolumeClaim',
    apiVersion: 'v1',
    metadata: { name: 'data', namespace: 'stage', ...(annotations ? { annotations } : {}), ...metadata },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
    status: { phase: 'Pending' },
  };
}

export function answerTo(policy: string, review: unknown) {
  return answer(`/${policy}?timeout=5s`, Buffer.from(JSON.stringify(review)));
}

/** The patch of a claim that is created, or changed if there is an older one. */
export function patchOf(policy: PolicyName, object: object, oldObject: object | null = null): Operation[] {
  const operation = oldObject ? 'UPDATE' : 'CREATE';
  const { status, body } = answerTo(policy, reviewOf({ operation, object, oldObject }));
  if (status !== 200) throw new Error(body);
  const { patch } = JSON.parse(body).response;
  return patch === undefined ? [] : JSON.parse(Buffer.from(patch, 'base64').toString('utf8'));
}
