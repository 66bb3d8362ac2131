import type { Flow, Parameters } from '../driver.ts';
import { matching, oneOf, onlyGreenfield, type ParameterRules, parameterProblems } from '../parameter-rules.ts';
import { type Defaults, missingRegion } from './connection-settings.ts';
import { tagsProblem } from './tags.ts';

const address = matching(/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/, 'https://objects.example.com');

/** The parameters of every S3 store. */
export const bucketRules = {
  region: matching(/^[a-z0-9][a-z0-9-]*$/, 'eu-central-1'),
  endpoint: address,
  forcePathStyle: oneOf('true', 'false'),
  versioning: onlyGreenfield(oneOf('true', 'false')),
  expireDays: onlyGreenfield(matching(/^[1-9][0-9]{0,4}$/, '30')),
  forceEmpty: onlyGreenfield(oneOf('true', 'false')),
  tags: { problem: tagsProblem },
  driverSecretName: matching(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, 'store-administrator'),
  quota: {
    problem: () =>
      'is not supported: S3 cannot limit a bucket. Leave it out and monitor the size, or use another driver',
  },
} satisfies ParameterRules;

const rules: ParameterRules = {
  ...bucketRules,
  iamEndpoint: address,
  encryption: onlyGreenfield(oneOf('AES256', 'aws:kms')),
  kmsKeyId: matching(
    /^arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:key\/[A-Za-z0-9-]+$/,
    'arn:aws:kms:eu-central-1:111122223333:key/…',
  ),
  permissionsBoundary: matching(
    /^arn:aws[a-z-]*:iam::([0-9]{12}|aws):policy\/\S+$/,
    'arn:aws:iam::111122223333:policy/buckets',
  ),
  credentials: oneOf('user', 'role'),
  oidcProvider: matching(
    /^arn:aws[a-z-]*:iam::[0-9]{12}:oidc-provider\/\S+$/,
    'arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-central-1.amazonaws.com/id/ABCD',
  ),
  serviceAccount: matching(/^(\*|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)$/, 'default'),
};

export function checkParameters(parameters: Parameters, flow: Flow, defaults: Defaults): string[] {
  return [
    ...parameterProblems(rules, parameters, flow),
    ...regionProblems(parameters, defaults),
    ...keyProblems(parameters, flow),
    ...roleProblems(parameters),
  ];
}

export function regionProblems({ region, endpoint }: Parameters, defaults: Defaults): string[] {
  return region || endpoint || defaults.region || defaults.endpoint ? [] : [missingRegion];
}

/** The function's role may create nothing with a boundary other than the deployment's. */
export function boundaryProblems(parameters: Parameters, boundary: string | undefined): string[] {
  const { permissionsBoundary: wanted, driverSecretName } = parameters;
  if (!boundary || !wanted || wanted === boundary || driverSecretName) return [];
  return [`The parameter permissionsBoundary is ${wanted}, and this deployment allows only ${boundary}: leave it out`];
}

/** An existing bucket may be encrypted with a key that only its own settings name. */
function keyProblems({ encryption, kmsKeyId }: Parameters, flow: Flow): string[] {
  if (!kmsKeyId || flow === 'Brownfield' || encryption === 'aws:kms') return [];
  return ['The parameter kmsKeyId requires encryption "aws:kms": add it'];
}

function roleProblems(parameters: Parameters): string[] {
  const isRole = parameters.credentials === 'role';
  return ['oidcProvider', 'serviceAccount'].flatMap((name) => {
    if (isRole && !parameters[name]) return [`The parameter ${name} is missing: credentials "role" require it`];
    if (!isRole && parameters[name]) return [`The parameter ${name} is only for credentials "role": leave it out`];
    return [];
  });
}
