import { legalNamespace, legalObjectName } from './request-names.ts';

/** The requests that an operator allows. Everything else is refused. */
export interface Permissions {
  requests: readonly RequestPermission[];
  adoptions: readonly Adoption[];
}

/** Allows requests of one source; the names are patterns. */
export interface RequestPermission {
  source: string;
  account?: string;
  clusters: string[];
  namespaces: string[];
  classes: string[];
}

/** New buckets with matching names become Buckets of this class in this namespace, regardless of their creator. */
export interface Adoption {
  account?: string;
  buckets: string[];
  cluster: string;
  namespace: string;
  bucketClass: string;
}

export interface BucketRequests {
  permissions: Permissions;
  /** The queue for refused requests. */
  deadLettersUrl: string;
  /** The role of our own driver: buckets that it creates already have a Bucket. */
  driverRole: string | undefined;
}

/** Creates the error for an invalid environment variable. */
type ConfigErrorFactory = (variable: string, problem: string) => Error;

const variable = 'LONGSHORE_BUCKET_REQUESTS';
/** A class for one bucket is named `<class>-<bucket>`, which must be a legal name too. */
const maxModelLength = 189;

/** Only the function that handles requests has a queue for refused ones. */
export function bucketRequestsFrom(
  environment: Record<string, string | undefined>,
  mistake: ConfigErrorFactory,
): BucketRequests | undefined {
  const deadLettersUrl = environment.LONGSHORE_DEAD_LETTERS_URL;
  if (!deadLettersUrl) return undefined;
  const driverRole = environment.LONGSHORE_DRIVER_ROLE || undefined;
  const permissions = permissionsFrom(environment[variable], mistake);
  if (permissions.adoptions.length > 0 && !driverRole) {
    throw mistake('LONGSHORE_DRIVER_ROLE', "is not set: without it, the driver's own buckets would be adopted");
  }
  return { permissions, deadLettersUrl, driverRole };
}

function permissionsFrom(text: string | undefined, mistake: ConfigErrorFactory): Permissions {
  if (!text) return { requests: [], adoptions: [] };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw mistake(variable, 'is not JSON');
  }
  const whole = new ConfigObject(variable, parsed, ['requests', 'adoptions'], mistake);
  return { requests: whole.list('requests').map(readRequest), adoptions: whole.list('adoptions').map(readAdoption) };
}

const requestFields = ['source', 'account', 'clusters', 'namespaces', 'classes'];
const adoptionFields = ['account', 'buckets', 'cluster', 'namespace', 'bucketClass'];

function readRequest({ place, value, mistake }: ConfigItem): RequestPermission {
  const part = new ConfigObject(place, value, requestFields, mistake);
  // AWS services send no such events, and no one else can use their prefix.
  const source = part.text('source', (name) => !name.startsWith('aws.'), 'the source of events, such as team.billing');
  const [clusters, namespaces, classes] = [
    part.patterns('clusters'),
    part.patterns('namespaces'),
    part.patterns('classes'),
  ];
  return { source, ...part.account(), clusters, namespaces, classes };
}

function readAdoption({ place, value, mistake }: ConfigItem): Adoption {
  const part = new ConfigObject(place, value, adoptionFields, mistake);
  const isModel = (name: string) => legalObjectName.test(name) && name.length <= maxModelLength;
  return {
    ...part.account(),
    buckets: part.patterns('buckets'),
    cluster: part.text('cluster', () => true, "a cluster's name"),
    namespace: part.text('namespace', (name) => legalNamespace.test(name), 'the name of a namespace'),
    bucketClass: part.text(
      'bucketClass',
      isModel,
      `the name of a BucketClass, of at most ${maxModelLength} characters`,
    ),
  };
}

interface ConfigItem {
  place: string;
  value: unknown;
  mistake: ConfigErrorFactory;
}

/** One JSON object of the configuration. Unknown fields are errors: a misspelt one would allow too little or too much. */
class ConfigObject {
  private readonly place: string;
  private readonly fields: Record<string, unknown>;
  private readonly mistake: ConfigErrorFactory;

  constructor(place: string, value: unknown, known: readonly string[], mistake: ConfigErrorFactory) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw mistake(place, 'must be a JSON object');
    this.place = place;
    this.fields = value as Record<string, unknown>;
    this.mistake = mistake;
    const unknown = Object.keys(value).find((field) => !known.includes(field));
    if (unknown !== undefined) throw mistake(`${place}.${unknown}`, `is unknown; known are ${known.join(', ')}`);
  }

  list(field: string): ConfigItem[] {
    const value = this.fields[field] ?? [];
    const place = `${this.place}.${field}`;
    if (!Array.isArray(value)) throw this.mistake(place, 'must be a JSON array');
    return value.map((each, index) => ({ place: `${place}[${index}]`, value: each, mistake: this.mistake }));
  }

  text(field: string, isLegal: (text: string) => boolean, what: string): string {
    const value = this.fields[field];
    if (typeof value === 'string' && value !== '' && isLegal(value)) return value;
    throw this.mistake(`${this.place}.${field}`, `must be ${what}`);
  }

  patterns(field: string): string[] {
    const value = this.fields[field];
    const isList = Array.isArray(value) && value.length > 0;
    if (isList && value.every((each) => typeof each === 'string' && each !== '')) return value;
    throw this.mistake(`${this.place}.${field}`, 'must be a JSON array of names, such as ["team-*"]');
  }

  account(): { account?: string } {
    if (this.fields.account === undefined) return {};
    return { account: this.text('account', (text) => /^\d{12}$/.test(text), 'a string of 12 digits') };
  }
}
