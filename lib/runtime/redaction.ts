import { errorText } from './error-text.ts';
import {
  endOfElement,
  endOfLine,
  endOfObject,
  endOfQuoted,
  endOfWord,
  omitted,
  type ValuePattern,
  withoutValues,
} from './redacted-values.ts';

/**
 * Removes anything that looks like a credential. Applied to every string that leaves the process: each log line, and error
 * messages on objects. Most of these are our own and contain none; but servers, proxies and SDKs quote what they were sent,
 * and AWS answers a wrong signature with all headers of the request.
 */
export function redacted(text: string): string {
  // None of our own strings is as long; and others must not be able to make a search take long.
  const kept = text.length > maxSearchedLength ? `${text.slice(0, maxSearchedLength)}…` : text;
  if (!suspicious.test(kept)) return kept;
  const left = valuePatterns.reduce(withoutValues, kept);
  return patterns.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), left);
}

const maxSearchedLength = 10_000;

/** Quick check: most strings contain none of these, and are not searched further. */
const suspicious =
  /-----BEGIN|canonical|bearer|basic|k8s-aws|eyJ|aws4-hmac|authorization|x-amz-s|cookie|passw|key|token|data\\*["']|secret|@/i;

/** Headers whose values continue after blanks, commas and semicolons. */
const multiPartHeaders = 'authorization|cookies?';
/** In a header, or in a URL's parameters. */
const headers = 'x-amz-security-token|x-amz-signature|client-key-data';
/** In a variable, in a URL's parameters, in JSON, or in XML. In our own sentences a colon may follow these. */
const fields = [
  'passw(?:or)?d',
  'secret[_-]?(?:access[_-]?)?key',
  'client[_-]?secret',
  'private[_-]?key',
  '(?:session|access|refresh|security)[_-]?token',
].join('|');
const fieldsOfJson = `${fields}|token|key[_-]?data|secret(?:string|binary)`;
/** The quote after a field's name, however often the JSON was quoted. */
const quote = '\\\\*["\']';

/** Objects come first, since other redactions may remove quotes by which their ends are found. */
const valuePatterns: readonly ValuePattern[] = [
  // The data of a Secret or a ConfigMap, whose keys can have any name.
  { opening: /["'](?:data|stringData|binaryData)(\\*)(["'])\s*:\s*(?=\{)/, endOf: endOfObject },
  { opening: new RegExp(`(?:${fieldsOfJson})${quote}\\s*:\\s*`), endOf: endOfQuoted },
  { opening: new RegExp(`(?:<|&lt;|u003c)[\\w:.-]{0,40}(?:${fields})(?:>|&gt;|\\\\*u003e)`), endOf: endOfElement },
  { opening: new RegExp(`(?:${multiPartHeaders})(?:${quote})?\\s*[:=]\\s*`), endOf: endOfLine },
  { opening: new RegExp(`(?:${headers})(?:${quote})?\\s*[:=]\\s*`), endOf: endOfWord },
  { opening: new RegExp(`(?:${fields})=`), endOf: endOfWord },
];

const patterns: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/g, omitted],
  // After this AWS repeats the request as it should have been signed.
  [/\s{0,8}The Canonical String for this request[\s\S]*$/, ''],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${omitted}`],
  [/\bAWS4-HMAC-SHA256\s+Credential=[^\r\n]*/gi, `AWS4-HMAC-SHA256 ${omitted}`],
  [/\bk8s-aws-v1\.[\w-]+/g, omitted],
  // A JWT, or other base64-encoded JSON.
  [/\beyJ[\w+/=-]{8,}(?:\.[\w-]*){0,4}/g, omitted],
  // The user of a URL, with or without a password.
  [/(:(?:\\*\/){2})[^\s/?#"<>\\]+@/g, `$1${omitted}@`],
];

const maxMessageLength = 1_000;

/** The message of an error, safe for logs and objects. */
export function redactedMessageOf(error: unknown): string {
  // JSON.parse quotes its input in the error, and that may have been anything.
  if (error instanceof Error && error.name === 'SyntaxError') return 'something that was read is not JSON';
  const said = redacted(errorText(error));
  return said.length > maxMessageLength ? `${said.slice(0, maxMessageLength)}…` : said;
}
