import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import type { ClusterClient } from '../support/cluster-client.ts';
import { until } from '../support/patience.ts';

type Quota = ClusterObject & { spec?: { hard?: object }; status?: { used?: object } };

/** How long one quota is given before it is made anew. */
const looksAMoment = 20;

/**
 * Makes a quota that counts. The controller learns of new kinds every 30 s, and looks again at a quota that it could not
 * count only every 5 minutes; until then all that is counted is refused. One that is made anew is looked at at once.
 */
export async function untilCounted(client: ClusterClient, quota: ClusterObject): Promise<void> {
  let looks = 0;
  await until(`the quota ${quota.metadata.name} counts`, async () => {
    const found = await client.get<Quota>(quota as Quota);
    if (found && isCounted(found)) return true;
    looks += 1;
    if (found && looks % looksAMoment === 0) await client.delete(found);
    else if (!found) await client.create(quota);
    return false;
  });
}

function isCounted({ spec, status }: Quota): boolean {
  return Object.keys(spec?.hard ?? {}).every((each) => each in (status?.used ?? {}));
}
