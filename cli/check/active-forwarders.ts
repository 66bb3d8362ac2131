import { findLeaders } from '../operate/leader.ts';
import { type Finding, ok } from './finding.ts';

type Reader = Parameters<typeof findLeaders>[0];

/** The forwarders that are active by the server's clock, or what it means for the caller that there is none. */
export async function checkForwarders(api: Reader, aheadMs: number, none: Finding): Promise<Finding[]> {
  const leaders = await findLeaders(api, () => new Date(Date.now() + aheadMs));
  const active = leaders.filter(({ state }) => state === 'leads');
  if (active.length === 0) return [none];
  return active.map(({ identity, holder }) => ok('forwarder', `${holder} is active as ${identity}`));
}
