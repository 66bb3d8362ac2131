import type { Parameters } from '../driver.ts';
import { addressOfIam, addressOfS3, type Defaults, regionOf } from './settings.ts';

/**
 * The parameters with the place of the store in them. AWS has an address as well: left out, it would become another store
 * as soon as the deployment gets an endpoint of its own. Without a region, the class is refused anyway.
 */
export function settleParameters(parameters: Parameters, defaults: Defaults): Parameters {
  const region = regionOf(parameters, defaults);
  if (!region) return parameters;
  const given = parameters.endpoint ?? defaults.endpoint;
  const endpoint = given ?? addressOfS3(region);
  const forcePathStyle = parameters.forcePathStyle ?? String(endpoint !== addressOfS3(region));
  return { ...parameters, region, endpoint, forcePathStyle };
}

/** Keys of one store are not sent to another: without a word to the contrary, IAM is where the buckets are. */
export function settleWithIam(parameters: Parameters, defaults: Defaults): Parameters {
  const settled = settleParameters(parameters, defaults);
  const { region, endpoint, iamEndpoint } = settled;
  if (!region || !endpoint) return settled;
  const ownIam = endpoint === addressOfS3(region) ? addressOfIam(region) : endpoint;
  return { ...settled, iamEndpoint: iamEndpoint ?? ownIam };
}
