import { errorText } from './error-text.ts';
import {
  endOfElement,
  endOfLine,
  endOfObject,
  endOfQuoted,
  endOfWord,
  omitted,
  type Place,
  withoutValues,
} from './redaction-of-values.ts';

/**
 * What looks like a credential is left out of every text that is told to anybody: of each line of the log, and of what an
 * error says on an object. Most of these texts are our own and hold none; but servers, proxies and SDKs write about what
 * they were sent, and AWS answers a wrong signature with all headers of the request.
 */
export function redacted(text: string): string {
  // No text of ours is as long; and the time that a search takes must not be for others to choose.
  const kept = text.length > maxSearched ? `${text.slice(0, maxSearched)}…` : text;
  if (!suspicious.test(kept)) return kept;
  const left = places.reduce(withoutValues, kept);
  return patterns.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), left);
}

const maxSearched = 10_000;

/** What one of the patterns could begin with: most texts have nothing of it, and are not searched further. */
const suspicious =
  /-----BEGIN|canonical|bearer|basic|k8s-aws|eyJ|aws4-hmac|authorization|x-amz-s|cookie|passw|key|token|data\\*["']|secret|@/i;

/** Headers whose value goes on after blanks, commas and semicolons. */
const longHeaders = 'authorization|cookies?';
/** In a header, or in the parameters of an address. */
const headers = 'x-amz-security-token|x-amz-signature|client-key-data';
/** In a variable, in the parameters of an address, in JSON, or in XML. In words of ours a colon may follow these. */
const fields = [
  'passw(?:or)?d',
  'secret[_-]?(?:access[_-]?)?key',
  'client[_-]?secret',
  'private[_-]?key',
  '(?:session|access|refresh|security)[_-]?token',
].join('|');
const fieldsOfJson = `${fields}|token|key[_-]?data|secret(?:string|binary)`;
/** The end of a field's name, as often as its text may have been quoted. */
const quote = '\\\\*["\']';

/** Objects come first, since what else is left out may take quotes away by which their ends are known. */
const places: readonly Place[] = [
  // What a Secret or a ConfigMap holds, under names that are anybody's.
  { opening: /["'](?:data|stringData|binaryData)(\\*)(["'])\s*:\s*(?=\{)/, endOf: endOfObject },
  { opening: new RegExp(`(?:${fieldsOfJson})${quote}\\s*:\\s*`), endOf: endOfQuoted },
  { opening: new RegExp(`(?:<|&lt;|u003c)[\\w:.-]{0,40}(?:${fields})(?:>|&gt;|\\\\*u003e)`), endOf: endOfElement },
  { opening: new RegExp(`(?:${longHeaders})(?:${quote})?\\s*[:=]\\s*`), endOf: endOfLine },
  { opening: new RegExp(`(?:${headers})(?:${quote})?\\s*[:=]\\s*`), endOf: endOfWord },
  { opening: new RegExp(`(?:${fields})=`), endOf: endOfWord },
];

const patterns: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/g, omitted],
  // With it AWS begins to repeat the request as it should have been signed.
  [/\s{0,8}The Canonical String for this request[\s\S]*$/, ''],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${omitted}`],
  [/\bAWS4-HMAC-SHA256\s+Credential=[^\r\n]*/gi, `AWS4-HMAC-SHA256 ${omitted}`],
  [/\bk8s-aws-v1\.[\w-]+/g, omitted],
  // A token of parts, or anything else in JSON that was encoded for no one to read.
  [/\beyJ[\w+/=-]{8,}(?:\.[\w-]*){0,4}/g, omitted],
  // Whoever an address is for, with or without a password.
  [/(:(?:\\*\/){2})[^\s/?#"<>\\]+@/g, `$1${omitted}@`],
];

const longest = 1_000;

/** What may be said of an error, to the operator and on objects. */
export function messageOf(error: unknown): string {
  // Whoever parses JSON in vain quotes it, and what was parsed may have been anything.
  if (error instanceof Error && error.name === 'SyntaxError') return 'something that was read is not JSON';
  const said = redacted(errorText(error));
  return said.length > longest ? `${said.slice(0, longest)}…` : said;
}
