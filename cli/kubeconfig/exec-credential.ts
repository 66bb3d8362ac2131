import type { Access } from '../../lib/kubernetes/access/api-access.ts';
import { NoAccess } from '../../lib/kubernetes/access/no-access.ts';
import type { ExecSettings } from './exec-settings.ts';
import { isFields } from './read-kubeconfigs.ts';
import { runProgram } from './run-program.ts';

/** The cluster, as a program is told of it that asks for that. */
export interface ExecCluster {
  server: string;
  extensions: unknown;
}

interface Credential {
  token?: string;
  clientCertificate?: string;
  clientKey?: string;
  /** From then on it is asked for anew. */
  renewAtMs: number;
}

interface Kept {
  asked: Promise<Credential>;
  askedAtMs: number;
}

/** So long before its end a credential is replaced, or a fifth of its time if that is shorter. */
const renewBeforeMs = 60_000;
/** A program is not asked more often than this for what the API server refuses. */
const refusedForMs = 10_000;
const extensionName = 'client.authentication.k8s.io/exec';

/** The credentials that a program prints, kept until shortly before they end. */
export class ExecCredential {
  private readonly settings: ExecSettings;
  private readonly authority: () => Promise<string | undefined>;
  private readonly cluster: ExecCluster;
  private readonly now: () => number;
  private kept: Kept | undefined;

  constructor(
    settings: ExecSettings,
    authority: () => Promise<string | undefined>,
    cluster: ExecCluster,
    now = () => Date.now(),
  ) {
    this.settings = settings;
    this.authority = authority;
    this.cluster = cluster;
    this.now = now;
  }

  /** For a new connection, which is made when there is none, or when the former credentials are of no use any more. */
  async access(): Promise<Omit<Access, 'server' | 'certificateAuthority'>> {
    if (this.kept && this.now() - this.kept.askedAtMs >= refusedForMs) this.kept = undefined;
    const { token, clientCertificate, clientKey, renewAtMs } = await this.credential();
    const certificate = clientCertificate && clientKey ? { clientCertificate, clientKey } : {};
    const validUntil = clientCertificate && Number.isFinite(renewAtMs) ? { validUntil: new Date(renewAtMs) } : {};
    return { ...certificate, ...validUntil, ...(token === undefined ? {} : { token: () => this.token() }) };
  }

  private async token(): Promise<string> {
    const { token } = await this.credential();
    if (token === undefined) throw this.failure('printed a token at first, and none now');
    return token;
  }

  private async credential(): Promise<Credential> {
    const { kept } = this;
    const known = await kept?.asked;
    if (known && this.now() < known.renewAtMs) return known;
    // Somebody else may have asked meanwhile.
    if (this.kept !== kept && this.kept) return this.kept.asked;
    const asking: Kept = { asked: this.ask(), askedAtMs: this.now() };
    this.kept = asking;
    // A failure is not kept: the next call asks again.
    asking.asked.catch(() => {
      if (this.kept === asking) this.kept = undefined;
    });
    return asking.asked;
  }

  private async ask(): Promise<Credential> {
    const { apiVersion } = this.settings;
    const spec = { interactive: false, ...(this.settings.providesClusterInfo ? { cluster: await this.info() } : {}) };
    const info = JSON.stringify({ apiVersion, kind: 'ExecCredential', spec });
    return this.read(await runProgram(this.settings, { KUBERNETES_EXEC_INFO: info }));
  }

  private async info(): Promise<object> {
    const authority = await this.authority();
    const { server, extensions } = this.cluster;
    const all: unknown[] = Array.isArray(extensions) ? extensions : [];
    const own = all.filter(isFields).find(({ name }) => name === extensionName);
    return {
      server,
      ...(authority === undefined ? {} : { 'certificate-authority-data': Buffer.from(authority).toString('base64') }),
      config: own?.extension ?? null,
    };
  }

  private read(output: string): Credential {
    const printed = parsed(output);
    if (!isFields(printed)) throw this.failure('did not print JSON');
    const { apiVersion, kind, status } = printed;
    if (kind !== 'ExecCredential') throw this.failure('did not print an ExecCredential');
    if (apiVersion !== this.settings.apiVersion) {
      const wanted = this.settings.apiVersion;
      throw this.failure(`printed an ExecCredential of ${JSON.stringify(apiVersion)}, but was asked for ${wanted}`);
    }
    const { token, clientCertificateData, clientKeyData, expirationTimestamp } = isFields(status) ? status : {};
    if (Boolean(clientCertificateData) !== Boolean(clientKeyData))
      throw this.failure('printed a client certificate or a key without the other');
    if (!token && !clientCertificateData) throw this.failure('printed neither a token nor a client certificate');
    return {
      ...(token ? { token: String(token) } : {}),
      ...(clientCertificateData
        ? { clientCertificate: String(clientCertificateData), clientKey: String(clientKeyData) }
        : {}),
      renewAtMs: this.renewAt(expirationTimestamp),
    };
  }

  /** What has no end is of use until the API server refuses it. */
  private renewAt(expirationTimestamp: unknown): number {
    if (!expirationTimestamp) return Number.POSITIVE_INFINITY;
    const endsAtMs = Date.parse(String(expirationTimestamp));
    if (Number.isNaN(endsAtMs)) throw this.failure('printed an expirationTimestamp that is no time');
    const leftMs = endsAtMs - this.now();
    if (leftMs <= 0) throw this.failure(`printed credentials that have expired at ${String(expirationTimestamp)}`);
    return endsAtMs - Math.min(renewBeforeMs, leftMs / 5);
  }

  /** Nothing of what was printed is repeated, as it may be the credentials. */
  private failure(problem: string): NoAccess {
    return new NoAccess(new Error(`${this.settings.command}, which the kubeconfig names for credentials, ${problem}`));
  }
}

function parsed(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}
