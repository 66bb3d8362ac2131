import type { Parameters } from '../driver.ts';
import { addressOfIam, addressOfS3, type Defaults, regionOf } from './connection-settings.ts';

/**
 * The parameters, with the location of the store. The AWS endpoint is filled in too: without it, the parameters would
 * mean another store as soon as the deployment gets an endpoint of its own. Without a region, the class is refused
 * anyway.
 */
export function settleParameters(parameters: Parameters, defaults: Defaults): Parameters {
  const region = regionOf(parameters, defaults);
  if (!region) return parameters;
  const given = parameters.endpoint ?? defaults.endpoint;
  const endpoint = given ?? addressOfS3(region);
  const forcePathStyle = parameters.forcePathStyle ?? String(endpoint !== addressOfS3(region));
  return { ...parameters, region, endpoint, forcePathStyle };
}

/** Keys of one store are not sent to another: by default, IAM is at the endpoint of the buckets. */
export function settleWithIam(parameters: Parameters, defaults: Defaults): Parameters {
  const settled = settleParameters(parameters, defaults);
  const { region, endpoint, iamEndpoint } = settled;
  if (!region || !endpoint) return settled;
  const ownIam = endpoint === addressOfS3(region) ? addressOfIam(region) : endpoint;
  return { ...settled, iamEndpoint: iamEndpoint ?? ownIam };
}
