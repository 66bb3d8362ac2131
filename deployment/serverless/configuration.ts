import { type AccessConfig, type Config, ConfigError, readConfig } from '../../lib/runtime/config.ts';
import { Mistake, type Place, reader } from './checks.ts';

/** Parameters that the functions read are read here by the same code, so that both agree on what is right. */

const example = '[{"name":"main","access":{"type":"kubeconfig","from":"secretsmanager:…"}}]';
const somethingRight = {
  LONGSHORE_FUNCTION: '{function}',
  LONGSHORE_CLUSTERS: example,
  LONGSHORE_IDENTITY: 'identity',
  LONGSHORE_DEAD_LETTERS_URL: 'url',
  LONGSHORE_DRIVER_ROLE: 'role',
};

function read<T>(variable: string, text: string, remedy: string, pick: (config: Config) => T): T {
  if (text === '') throw new Mistake('is missing', remedy);
  try {
    return pick(readConfig({ ...somethingRight, [variable]: text }));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // The error names the variable and the place in it: the parameter is named already.
    throw new Mistake(error.message.replace(variable, '').trim(), remedy);
  }
}

/** The clusters, none of whose credentials would be out of the functions' reach. */
export const clusters = reader('a JSON array of clusters, at least one', example, (text, place) => {
  const remedy = `'[{"name":"main","access":{"type":"kubeconfig","from":"secretsmanager:${credentials(place, 'main')}"}}]'`;
  const found = read('LONGSHORE_CLUSTERS', text, remedy, (config) => config.clusters);
  for (const [index, { name, access }] of found.entries()) checkReach(`[${index}].access`, name, access, place, remedy);
  return found;
});

const someDrivers = `'[{"name":"s3.longshore.dev","type":"s3"}]', or '[]' for none`;

export const drivers = reader('a JSON array of drivers', someDrivers, (text) =>
  read('LONGSHORE_DRIVERS', text, someDrivers, (config) => config.drivers),
);

const someRequests = `'{"requests":[],"adoptions":[]}', or as described in docs/bucket-requests.md`;

export const bucketRequests = reader('a JSON object', someRequests, (text) =>
  read('LONGSHORE_BUCKET_REQUESTS', text, someRequests, (config) => config.bucketRequests?.permissions),
);

function credentials({ stage }: Place, cluster: string): string {
  return `longshore/${stage}/clusters/${cluster}/{function}`;
}

/** Each function's role may read the credentials at one place alone, for whatever cluster. */
function checkReach(at: string, cluster: string, access: AccessConfig, place: Place, remedy: string): void {
  if (access.type === 'eks') return;
  const [store = '', name = ''] = splitOnce(access.from);
  const wanted = credentials(place, cluster);
  if (store !== 'secretsmanager' && store !== 'ssm') {
    throw new Mistake(
      `${at}.from must begin with secretsmanager: or ssm:, because functions can only read those`,
      remedy,
    );
  }
  const reached = new RegExp(`(^|[:/])longshore/${place.stage}/clusters/.+/\\{function\\}(-[A-Za-z0-9]{6})?$`);
  if (!reached.test(name)) {
    throw new Mistake(`${at}.from must end with ${wanted}: the roles of the functions can read nothing else`, remedy);
  }
}

function splitOnce(text: string): string[] {
  const at = text.indexOf(':');
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
