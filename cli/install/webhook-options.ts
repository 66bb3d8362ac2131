import { readFileSync } from 'node:fs';
import { type Command, Option, type OptionValues } from '@commander-js/extra-typings';
import { certificatesIn, endedAt } from '../../lib/install/authority.ts';
import type { WebhookChoice } from '../../lib/install/webhook-choice.ts';
import { isLegalName } from '../../lib/kubernetes/resources.ts';
import { errorText } from '../../lib/runtime/error-text.ts';
import { UsageError } from '../parse/usage-error.ts';

export interface WebhookOptions {
  admissionUrl?: string;
  admissionService?: { namespace: string; name: string };
  admissionCa?: string;
  withoutAdmission?: true;
}

export function withWebhook<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return command
    .addOption(
      new Option(
        '--admission-url <url>',
        'have the API server ask the webhook of longshore run at this https address',
      ).argParser(readUrl),
    )
    .addOption(
      new Option('--admission-service <namespace/name>', 'the same, at port 443 of a Service of the cluster')
        .conflicts('admissionUrl')
        .argParser(readService),
    )
    .addOption(
      new Option('--admission-ca <file>', "the authority of the webhook's certificate, in PEM").argParser(
        readAuthority,
      ),
    )
    .addOption(
      new Option('--without-admission', 'have it ask no webhook (default)').conflicts([
        'admissionUrl',
        'admissionService',
        'admissionCa',
      ]),
    );
}

/** Undefined if nothing is said, and null for none. */
export function chosenWebhook(options: WebhookOptions): WebhookChoice | null | undefined {
  const { admissionUrl: url, admissionService: service, admissionCa: caBundle, withoutAdmission } = options;
  if (withoutAdmission) return null;
  const ca = caBundle === undefined ? {} : { caBundle };
  if (url !== undefined) return { url, ...ca };
  if (service) return { service, ...ca };
  if (caBundle === undefined) return undefined;
  throw new UsageError('--admission-ca is given together with --admission-url or --admission-service');
}

/** Nothing else is accepted by an API server. */
function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (isPlain && /^https:\/\/[^\s\\?#@]+$/.test(text)) return text;
  throw new UsageError(`--admission-url must be an https address without user, query and fragment, but is ${text}`);
}

function readService(text: string): { namespace: string; name: string } {
  const [namespace = '', name = '', ...rest] = text.split('/');
  if (rest.length === 0 && isLegalName(namespace) && isLegalName(name)) return { namespace, name };
  throw new UsageError(`--admission-service must be <namespace>/<name>, but is ${text}`);
}

function readAuthority(path: string): string {
  const text = readCertificates(path);
  const ended = endedAt(text, new Date());
  if (!ended) return text;
  const day = ended.toISOString().slice(0, 10);
  throw new UsageError(
    `--admission-ca must be a certificate that is valid, but that in ${path} ended on ${day}: the API server would trust nothing that it has signed`,
  );
}

function readCertificates(path: string): string {
  try {
    const certificates = certificatesIn(readFileSync(path, 'utf8'));
    if (certificates.length === 0) throw new Error(`there is none in ${path}`);
    return `${certificates.map(({ pem }) => pem).join('\n')}\n`;
  } catch (error) {
    throw new UsageError(`--admission-ca must be a file with a certificate in PEM: ${errorText(error)}`);
  }
}
