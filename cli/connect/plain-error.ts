import { ClusterError } from '../../lib/kubernetes/errors.ts';

/** What an API server, or the way to it, says of a failed call: in sentences that tell what to do. */

export interface Right {
  verb: string;
  /** In the plural, as rights name them. */
  resources: readonly { resource: string; group: string }[];
  /** Undefined for all of them, and for kinds without namespaces. */
  namespace?: string | undefined;
}

/** What the caller may not do, and whom to ask for it. */
export function lackingRight({ verb, resources, namespace }: Right): string {
  const where = namespace === undefined ? 'in the whole cluster' : `in namespace ${namespace}`;
  const whom = namespace === undefined ? 'a cluster administrator' : `an administrator of namespace ${namespace}`;
  const names = resources.map(({ resource }) => resource).join(', ');
  const full = resources.map(({ resource, group }) => (group === '' ? resource : `${resource}.${group}`)).join(', ');
  return `you may not ${verb} ${names} ${where}: ask ${whom} for the verb ${verb} on ${full}`;
}

const refusal =
  /(?:\S+ )?(?:"[^"]*" )?is forbidden: User "[^"]*" cannot (\S+) resource "([^"]*)" in API group "([^"]*)" (?:in the namespace "([^"]*)"|at the cluster scope)/g;

/** The sentences of the authorizer in a text, as ours. */
export function plainRefusals(text: string): string {
  return text.replaceAll(refusal, (_, verb: string, resource: string, group: string, namespace?: string) => {
    // A Namespace is in itself, but nobody is given rights on it there.
    const place = resource === 'namespaces' ? {} : { namespace };
    return lackingRight({ verb, resources: [{ resource, group }], ...place });
  });
}

/** The same error, in plain words. */
export function plainError(error: unknown): unknown {
  if (!(error instanceof ClusterError)) return error;
  const message = plainMessage(error);
  return message === error.message ? error : new ClusterError(error.class, message, error.status, error);
}

function plainMessage({ class: errorClass, message, cause }: ClusterError): string {
  if (errorClass === 'denied') return plainRefusals(message);
  // It says no more than that by itself.
  if (errorClass === 'unauthorized') return `${message.replace(/: Unauthorized$/, '')}: ${newCredentials}`;
  const why = errorClass === 'unreachable' ? whyUnreachable(cause) : undefined;
  return why === undefined ? message : `${message.replace(/ cannot be reached: .*$/s, ' cannot be reached')}: ${why}`;
}

const newCredentials = 'log in again, or ask whoever gives out kubeconfigs for a new one';
const way = 'check the context, and your network or VPN';
const otherAuthority = `its certificate is not of the authority that the kubeconfig names. It may be another cluster, or one that was made anew: check the context, or get a new kubeconfig`;

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers at that address. Check the context, and whether the cluster runs',
  ENOTFOUND: `its name is not known here: ${way}`,
  EAI_AGAIN: `its name cannot be looked up now: ${way}`,
  ENETUNREACH: `there is no way to it: ${way}`,
  EHOSTUNREACH: `there is no way to it: ${way}`,
  ETIMEDOUT: `it does not answer: ${way}`,
  DEPTH_ZERO_SELF_SIGNED_CERT: otherAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: otherAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: otherAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: otherAuthority,
  CERT_SIGNATURE_FAILURE: otherAuthority,
};

function whyUnreachable(cause: unknown): string | undefined {
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' && Object.hasOwn(reasons, code) ? reasons[code] : undefined;
}
