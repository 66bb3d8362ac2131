import { type AccessConfig, type Config, ConfigError, readConfig } from '../../lib/runtime/config.ts';
import { type DeploymentTarget, InvalidParameter, reader } from './parameter-readers.ts';

/** Parameters that the functions read, validated here by the same code, so that both agree on what is valid. */

const example = '[{"name":"main","access":{"type":"kubeconfig","from":"ssm:…"}}]';
const validEnvironment = {
  LONGSHORE_FUNCTION: '{function}',
  LONGSHORE_CLUSTERS: example,
  LONGSHORE_IDENTITY: 'identity',
  LONGSHORE_DEAD_LETTERS_URL: 'url',
  LONGSHORE_DRIVER_ROLE: 'role',
};

function read<T>(variable: string, text: string, remedy: string, pick: (config: Config) => T): T {
  if (text === '') throw new InvalidParameter('is missing', remedy);
  try {
    return pick(readConfig({ ...validEnvironment, [variable]: text }));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // The error names the variable and the path in it; the parameter is named already.
    throw new InvalidParameter(error.message.replace(variable, '').trim(), remedy);
  }
}

/** The clusters. The functions must be able to read all of their credentials. */
export const clusters = reader('a JSON array of clusters, at least one', example, (text, place) => {
  const remedy = `'[{"name":"main","access":{"type":"kubeconfig","from":"ssm:/${credentials(place, 'main')}"}}]'`;
  const found = read('LONGSHORE_CLUSTERS', text, remedy, (config) => config.clusters);
  for (const [index, { name, access }] of found.entries())
    checkReadableSecret(`[${index}].access`, name, access, place, remedy);
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

function credentials({ stage }: DeploymentTarget, cluster: string): string {
  return `longshore/${stage}/clusters/${cluster}/{function}`;
}

/** Each function's role may read credentials at one path only, for any cluster. */
function checkReadableSecret(
  at: string,
  cluster: string,
  access: AccessConfig,
  place: DeploymentTarget,
  remedy: string,
): void {
  if (access.type === 'eks') return;
  const [store = '', name = ''] = splitOnce(access.from);
  const wanted = credentials(place, cluster);
  if (store !== 'secretsmanager' && store !== 'ssm') {
    throw new InvalidParameter(
      `${at}.from must begin with ssm: or secretsmanager:, because functions can only read those`,
      remedy,
    );
  }
  const reached = new RegExp(`(^|[:/])longshore/${place.stage}/clusters/.+/\\{function\\}(-[A-Za-z0-9]{6})?$`);
  if (!reached.test(name)) {
    throw new InvalidParameter(
      `${at}.from must end with ${wanted}: the roles of the functions can read nothing else`,
      remedy,
    );
  }
}

function splitOnce(text: string): string[] {
  const at = text.indexOf(':');
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
