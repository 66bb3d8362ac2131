import { logLevels } from '../../lib/runtime/log.ts';
import { alarmTopic, formerKmsKeys, kmsKey, permissionsBoundary, senders } from './arn-parameters.ts';
import { capabilities } from './capabilities.ts';
import { bucketRequests, clusters, drivers } from './json-parameters.ts';
import {
  type DeploymentTarget,
  InvalidParameter,
  isOn,
  list,
  oneOf,
  oneOfNumbers,
  type Reader,
  wholeNumber,
} from './parameter-readers.ts';

/** The retention periods that CloudWatch offers, in days. */
const retentions = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

/** Every parameter of serverless.yml, by its name there. What each means is said there and in docs/configuration.md, whose
 * table is written by `npm run generate`. */
export const readers = {
  clusters,
  capabilities,
  drivers,
  'permissions-boundary': permissionsBoundary,
  'bucket-requests': bucketRequests,
  architecture: oneOf('arm64', 'x86_64'),
  'log-retention-days': oneOfNumbers(retentions, 30),
  'log-level': oneOf(...logLevels),
  archive: isOn,
  'archive-days': wholeNumber(1, 36_500, 30),
  'forward-timeout-seconds': wholeNumber(80, 900, 900),
  'forward-schedule': isOn,
  'forward-max-fan-out': wholeNumber(1, 100_000, 10_000),
  'resync-schedule': isOn,
  'resync-timeout-seconds': wholeNumber(60, 900, 900),
  'replay-timeout-seconds': wholeNumber(60, 900, 900),
  'step-timeout-seconds': wholeNumber(5, 900, 30),
  'step-visibility-timeout-seconds': wholeNumber(30, 43_200, 180),
  'step-maximum-concurrency': wholeNumber(2, 1_000, 10),
  'sweep-timeout-seconds': wholeNumber(60, 900, 900),
  'reserved-concurrency': oneOf('scheduled', 'all', 'none'),
  'kms-key': kmsKey,
  'former-kms-keys': formerKmsKeys,
  senders,
  'subnet-ids': list(
    /^subnet-[0-9a-f]{8,17}$/,
    ['id of a subnet', 'ids of subnets'],
    'subnet-0123456789abcdef0,subnet-…',
  ),
  'security-group-ids': list(
    /^sg-[0-9a-f]{8,17}$/,
    ['id of a security group', 'ids of security groups'],
    'sg-0123456789abcdef0',
  ),
  tracing: oneOf('PassThrough', 'Active'),
  alarms: isOn,
  'alarm-topic': alarmTopic,
} satisfies Record<string, Reader<unknown>>;

type Name = keyof typeof readers;
export type Parameters = { readonly [N in Name]: ReturnType<(typeof readers)[N]> };

export const parameterNames = Object.keys(readers) as Name[];

/** All invalid parameters, each with its remedy. */
export class ParametersRefused extends Error {
  constructor(mistakes: ReadonlyMap<string, InvalidParameter>) {
    const lines = [...mistakes].map(
      ([name, { message, remedy }]) => `\n      ${name}${message.startsWith('[') ? '' : ' '}${message}: use ${remedy}`,
    );
    super(`nothing was changed, because these parameters are wrong:${lines.join('')}`);
  }
}

/** Reads all parameters, and reports all invalid ones at once. */
export function readParameters(texts: Readonly<Record<string, unknown>>, place: DeploymentTarget): Parameters {
  const mistakes = new Map<string, InvalidParameter>();
  const found: Record<string, unknown> = {};
  const collecting = (name: string, remedyOf: (remedy: string) => string, work: () => void) => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof InvalidParameter)) throw error;
      mistakes.set(name, new InvalidParameter(error.message, remedyOf(error.remedy)));
    }
  };
  collecting(
    'the stage',
    (remedy) => `--stage ${remedy}`,
    () => validateStage(place.stage),
  );
  for (const [name, read] of Object.entries(readers)) {
    collecting(name, option(name), () => {
      found[name] = read(textOf(texts[name]), place);
    });
  }
  for (const name of Object.keys(texts).filter((each) => !Object.hasOwn(readers, each))) {
    mistakes.set(name, new InvalidParameter('is not a parameter', `one of ${parameterNames.join(', ')}`));
  }
  // Related parameters are compared once each is valid by itself.
  if (mistakes.size === 0) {
    for (const [name, check] of crossChecks) collecting(name, option(name), () => check(found as Parameters));
  }
  if (mistakes.size > 0) throw new ParametersRefused(mistakes);
  return found as Parameters;
}

const option = (name: string) => (remedy: string) => `--param ${name}=${remedy}`;

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'object') throw new InvalidParameter('must be a string', "'<text>', in quotes");
  return String(value);
}

/** Queue names have at most 80 characters, of which the longest of ours leaves 35. */
const maxStageLength = 35;

function validateStage(stage: string): void {
  if (/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(stage) && stage.length <= maxStageLength) return;
  throw new InvalidParameter(
    `must consist of at most ${maxStageLength} lower-case letters, digits and inner hyphens, but is ${JSON.stringify(stage)}`,
    'production',
  );
}

/** AWS advises six times the function's timeout: otherwise a message may be redelivered while its function still runs. */
const visibilityFactor = 6;

const crossChecks: [Name, (parameters: Parameters) => void][] = [
  [
    'step-visibility-timeout-seconds',
    (parameters) => {
      const least = visibilityFactor * parameters['step-timeout-seconds'];
      if (parameters['step-visibility-timeout-seconds'] >= least) return;
      throw new InvalidParameter('must be at least six times step-timeout-seconds', String(least));
    },
  ],
  [
    'subnet-ids',
    (parameters) => {
      if (parameters['subnet-ids'].length > 0 || parameters['security-group-ids'].length === 0) return;
      throw new InvalidParameter('is missing, but security-group-ids are given', 'subnet-0123456789abcdef0,subnet-…');
    },
  ],
  [
    'security-group-ids',
    (parameters) => {
      if (parameters['security-group-ids'].length > 0 || parameters['subnet-ids'].length === 0) return;
      throw new InvalidParameter('is missing, but subnet-ids are given', 'sg-0123456789abcdef0');
    },
  ],
  [
    'alarm-topic',
    ({ alarms, 'alarm-topic': topic }) => {
      if (alarms || topic === undefined) return;
      throw new InvalidParameter(
        'is given, but no alarms are deployed that could notify it',
        'none, or --param alarms=on',
      );
    },
  ],
];
