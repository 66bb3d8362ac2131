import * as v from 'valibot';

/** What the policies read of the claims in a request of the API server. As in its JSON, null is the same as absent. */

const text = v.nullish(v.string());
const texts = v.nullish(v.record(v.string(), v.string()));

const reference = v.object({ apiGroup: text, kind: v.string(), name: v.string(), namespace: text });

const selector = v.object({ matchLabels: texts, matchExpressions: v.nullish(v.array(v.unknown())) });

const claim = v.object({
  metadata: v.object({
    annotations: texts,
    finalizers: v.nullish(v.array(v.string())),
    managedFields: v.nullish(v.array(v.object({ fieldsV1: v.nullish(v.record(v.string(), v.unknown())) }))),
  }),
  spec: v.object({
    volumeName: text,
    dataSource: v.nullish(reference),
    dataSourceRef: v.nullish(reference),
    selector: v.nullish(selector),
  }),
});

const admissionRequest = v.object({
  uid: v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
  operation: v.picklist(['CREATE', 'UPDATE', 'DELETE', 'CONNECT']),
  resource: v.object({ group: v.string(), resource: v.string() }),
  subResource: text,
});

export const reviewApiVersion = 'admission.k8s.io/v1';

/** A request of the API server about anything. */
export const review = v.object({
  apiVersion: v.literal(reviewApiVersion),
  kind: v.literal('AdmissionReview'),
  request: admissionRequest,
});

/** The same, about a claim that is to be created or changed. */
export const claimReview = v.variant('operation', [
  v.object({ operation: v.literal('CREATE'), object: claim, oldObject: v.nullish(v.never()) }),
  v.object({ operation: v.literal('UPDATE'), object: claim, oldObject: claim }),
]);

export type Reference = v.InferOutput<typeof reference>;
export type ClaimUnderReview = v.InferOutput<typeof claim>;
export type ClaimRequest = v.InferOutput<typeof claimReview>;

/** `group/kind`, which is the same in every version. */
export function kindOf(data: Reference | null | undefined): string {
  return data ? `${data.apiGroup ?? ''}/${data.kind}` : '';
}

/** An empty selector, as charts write it, matches every volume: it counts as none. */
export function hasSelector({ spec }: ClaimUnderReview): boolean {
  const { matchLabels, matchExpressions } = spec.selector ?? {};
  return Object.keys(matchLabels ?? {}).length + (matchExpressions ?? []).length > 0;
}

/** Exactly the selector that our policies write, as far as labels go. */
export function selectsOnly({ spec }: ClaimUnderReview, state: string): boolean {
  const labels = Object.entries(spec.selector?.matchLabels ?? {});
  return labels.length === 1 && labels[0]?.[0] === volumeLabel && labels[0][1] === state;
}

const volumeLabel = 'longshore.dev/volume';

/** It matches no volume. */
export function selectorFor(state: string): object {
  return { matchLabels: { [volumeLabel]: state } };
}
