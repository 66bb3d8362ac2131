import { errorText } from '../../runtime/error-text.ts';

interface Cause {
  /** Names and codes of errors, of AWS, its SDK or the system. */
  names: readonly string[];
  sentence: (region: string) => string;
}

const whichKeys = 'check AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';

const causes: readonly Cause[] = [
  {
    names: ['CredentialsProviderError', 'TokenProviderError'],
    sentence: () => 'there are no AWS credentials: log in, or set AWS_PROFILE, or AWS_ACCESS_KEY_ID and its secret',
  },
  {
    names: ['InvalidClientTokenId', 'UnrecognizedClientException', 'InvalidAccessKeyId', 'AuthFailure'],
    sentence: () => `AWS does not know the access key: ${whichKeys}`,
  },
  {
    names: ['SignatureDoesNotMatch', 'InvalidSignatureException'],
    sentence: () => `the secret key does not belong to the access key: ${whichKeys}`,
  },
  {
    names: ['ExpiredToken', 'ExpiredTokenException', 'RequestExpired'],
    sentence: () => 'the AWS session is over: log in again, such as with aws sso login',
  },
  {
    names: ['AccessDenied', 'AccessDeniedException', 'UnauthorizedOperation'],
    sentence: () => 'these keys may not read it: allow cloudformation:DescribeStacks, or use others by AWS_PROFILE',
  },
  {
    names: ['ENOTFOUND', 'EAI_AGAIN'],
    sentence: (region) => `AWS has no address for the region ${region}: check AWS_REGION, and the network`,
  },
  {
    names: ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'TimeoutError'],
    sentence: () => 'AWS cannot be reached from here: check the network, a proxy, and AWS_ENDPOINT_URL',
  },
];

/** Why AWS did not answer a question, and what to type next. */
export function refusalOf(error: unknown, region: string | undefined): string {
  if (region === undefined) return 'no region is set: set AWS_REGION, or AWS_PROFILE to one that has a region';
  const said = errorText(error).replace(/\.+$/, '');
  const cause = causes.find(({ names }) => namesOf(error).some((name) => names.includes(name)));
  return cause ? `${cause.sentence(region)} (${said})` : `${said}. Check AWS_REGION (${region}) and AWS_PROFILE`;
}

function namesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const code = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  // Of several addresses each has an error of its own.
  const inner = error instanceof AggregateError ? error.errors : [error.cause];
  return [error.name, ...code, ...inner.flatMap(namesOf)];
}
