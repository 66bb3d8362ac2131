import type { Claim } from '../../lib/kubernetes/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import type { Fit } from '../offer/accept-words.ts';
import { acceptAnnotation } from '../offer/annotations.ts';

export interface Acceptance {
  namespace: string;
  toName: string;
  from: string;
  claim: string;
}

/**
 * The data source and the selector keep everybody else from filling or binding it before its own volume comes. A server
 * with the policy hold-accepting-claims would add both, and leaves them if they are there; any other server needs them.
 */
export function acceptingClaim({ namespace, toName, from, claim }: Acceptance, fit: Fit): Claim {
  const { apiVersion, kind } = resources.claim;
  const { size = '', className, accessModes, volumeMode, attributesClass } = fit;
  const spec = {
    accessModes: [...accessModes],
    resources: { requests: { storage: size } },
    ...(className === undefined ? {} : { storageClassName: className }),
    ...(volumeMode ? { volumeMode } : {}),
    ...(attributesClass ? { volumeAttributesClassName: attributesClass } : {}),
    dataSourceRef: { apiGroup: 'longshore.dev', kind: 'Transfer', name: 'accepted' },
    selector: { matchLabels: { 'longshore.dev/volume': 'transferred' } },
  };
  const annotations = { [acceptAnnotation]: `${from}/${claim}` };
  return { apiVersion, kind, metadata: { namespace, name: toName, annotations }, spec };
}
