import type { ObjectMeta } from '../../lib/kubernetes/objects.ts';
import type { Place } from '../../lib/kubernetes/places.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { claim, transferRequest } from '../../tools/local/transfer-objects.ts';

export const namespace = 'changing';

/** No class of this name exists: nothing provisions. */
const className = 'made-by-hand';
/** On a claim whose offer has been taken up: it cannot vanish before its deletion has been dealt with. */
const fence = 'longshore.dev/transfer-offer';

/** What happens to objects of a kind, and which of it concerns their keys. */
export interface Sort {
  function: string;
  resource: Resource;
  /** Whether its deletion waits for us. */
  isFenced: boolean;
  create(place: Place, count: number): object;
  /** What to change so that its key is concerned; undefined where that is never so. */
  concern?(place: Place, count: number): Pick<ObjectMeta, 'annotations'>;
}

export const offeredClaims: Sort = {
  function: 'match-claim',
  resource: resources.claim,
  isFenced: true,
  create: (place, count) => claimWith(place, { ...offer(place, count), finalizers: [fence] }),
  concern: offer,
};

/** Claims that nobody offers are of no interest, whatever happens to them. */
export const plainClaims: Sort = {
  function: 'match-claim',
  resource: resources.claim,
  isFenced: false,
  create: (place, count) => claimWith(place, noteOf(count)),
};

/** Whatever is changed about a request that has no status yet concerns it. */
export const requests: Sort = {
  function: 'match-transfer',
  resource: resources.transferRequest,
  isFenced: false,
  create: (place) => {
    const source = { namespace: 'elsewhere', name: place.name };
    return transferRequest({ name: place.name, source, target: place });
  },
  concern: (_, count) => noteOf(count),
};

/** Something to write on an object that means nothing. */
export function noteOf(count: number): Pick<ObjectMeta, 'annotations'> {
  return { annotations: { note: `change ${count}` } };
}

/** Each time to another claim. */
function offer({ name }: Place, count: number): Pick<ObjectMeta, 'annotations'> {
  return { annotations: { transferRequest: `receiving/${name}-${count}` } };
}

function claimWith(place: Place, metadata: Pick<ObjectMeta, 'annotations' | 'finalizers'>): object {
  const made = claim(place, className);
  return { ...made, metadata: { ...made.metadata, ...metadata } };
}
