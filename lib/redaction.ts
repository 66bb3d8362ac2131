/**
 * What looks like a credential is left out of every text that is told to anybody: of each line of the log, and of what an
 * error says on an object. Most of these texts are our own and hold none; but servers, proxies and SDKs write about what
 * they were sent, and AWS answers a wrong signature with all headers of the request.
 */
export function redacted(text: string): string {
  // No text of ours is as long; and the time that a search takes must not be for others to choose.
  const kept = text.length > mostSearched ? `${text.slice(0, mostSearched)}…` : text;
  if (!suspicious.test(kept)) return kept;
  return patterns.reduce((left, [pattern, instead]) => left.replace(pattern, instead), kept);
}

const mostSearched = 10_000;
const omitted = '[left out]';

/** What one of the patterns could begin with: most texts have nothing of it, and are not searched further. */
const suspicious =
  /-----BEGIN|canonical|bearer|basic|k8s-aws|eyJ|authorization|x-amz-s|cookie|passw|key|token|data"|secret/i;

/** In a header, or in the parameters of an address. */
const headers = ['authorization', 'x-amz-security-token', 'x-amz-signature', 'cookie', 'client-key-data'];
/** In a variable, in the parameters of an address, or in JSON. In words of ours a colon may follow these. */
const fields = ['password', 'passwd', 'secret_?access_?key', 'session_?token', 'access_?token', 'refresh_?token'];
const fieldsOfJson = ['token', 'secretstring', 'private_?key', ...fields];
const quoted = '"(?:[^"\\\\]|\\\\.)*"?';
const bare = '[^\\s"\',&;}]+';

const patterns: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/g, omitted],
  // With it AWS begins to repeat the request as it should have been signed.
  [/\s{0,8}The Canonical String for this request[\s\S]*$/, ''],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${omitted}`],
  [/\bk8s-aws-v1\.[\w-]+/g, omitted],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g, omitted],
  [new RegExp(`((?:${headers.join('|')})"?\\s*[:=]\\s*)(?:${quoted}|${bare})`, 'gi'), `$1${omitted}`],
  [new RegExp(`((?:${fields.join('|')})=)(?:${quoted}|${bare})`, 'gi'), `$1${omitted}`],
  [new RegExp(`((?:${fieldsOfJson.join('|')})"\\s*:\\s*)${quoted}`, 'gi'), `$1${omitted}`],
  // What a Secret or a ConfigMap holds, under names that are anybody's.
  [/("(?:data|stringData)"\s*:\s*)\{[^{}]*\}?/g, `$1${omitted}`],
];

const longest = 1_000;

/** What may be said of an error, to the operator and on objects. */
export function messageOf(error: unknown): string {
  // Whoever parses JSON in vain quotes it, and what was parsed may have been anything.
  if (error instanceof Error && error.name === 'SyntaxError') return 'something that was read is not JSON';
  const said = redacted(error instanceof Error ? error.message : String(error));
  return said.length > longest ? `${said.slice(0, longest)}…` : said;
}
