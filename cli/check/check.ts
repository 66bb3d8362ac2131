import { defaultChoices } from '../../lib/install/choices.ts';
import { desiredObjects } from '../../lib/install/desired.ts';
import type { AnyObject as Desired } from '../../lib/install/installable.ts';
import { isClusterError } from '../../lib/kubernetes/errors.ts';
import { errorText } from '../../lib/runtime/error-text.ts';
import { redacted } from '../../lib/runtime/redaction.ts';
import type { ClusterOptions } from '../connect/options.ts';
import { exitCodes } from '../exit-codes.ts';
import { type LimitedCluster, NoAnswer, openWithin } from '../operate/open-within.ts';
import { askServer } from '../operate/server-time.ts';
import { releaseVersion } from '../release-version.ts';
import { printableJson } from '../terminal/printable.ts';
import { lineWidth } from '../terminal/width.ts';
import { checkForwarders } from './active-forwarders.ts';
import { checkClock, checkGates, checkVersion } from './cluster-checks.ts';
import { checkCredentials } from './credentials.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { checkInstallPermissions } from './install-permissions.ts';
import { type Installation, readInstallation } from './installation.ts';
import { checkCrds, checkPolicies } from './installed.ts';
import { checkPermissions, checkRoles } from './permissions.ts';
import { checkBucketClasses, checkDrivers, unlessDenied } from './storage-checks.ts';
import { findingLines } from './text.ts';
import { checkWebhook } from './webhook-check.ts';

export interface CheckOptions extends ClusterOptions {
  pre?: true;
  timeout?: number;
  output?: 'json' | 'wide';
}

const defaultSeconds = 20;
const metricsLimit = 32 * 1024 * 1024;

export async function checkCluster(options: CheckOptions): Promise<void> {
  const findings = await findingsOf(options);
  if (options.output === 'json') console.log(printableJson(findings));
  else
    console.log(
      findingLines(findings, options.output === 'wide' ? Number.POSITIVE_INFINITY : lineWidth(process.stdout)).join(
        '\n',
      ),
    );
  if (findings.some(({ level }) => level === 'problem')) process.exitCode = exitCodes.found;
}

async function findingsOf(options: CheckOptions): Promise<Finding[]> {
  try {
    await using cluster = await openWithin(options, (options.timeout ?? defaultSeconds) * 1_000);
    return await findings(cluster, options.pre ?? false);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return [problem('API server', error.message)];
  }
}

/** Credentials first: with those that have ended nothing else can be found out. */
async function findings(cluster: LimitedCluster, isBefore: boolean): Promise<Finding[]> {
  const { api, access, connection, server } = cluster;
  const credentials = await checkCredentials(access, new Date());
  const view = await askServer(api).catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  );
  if (view instanceof NoAnswer) throw view;
  if (isClusterError(view, 'unauthorized', 'unreachable')) {
    const where = view.class === 'unauthorized' ? `${server}: ` : '';
    return [problem('API server', `${where}${redacted(errorText(view))}`), ...credentials];
  }
  const readMetrics = async () => {
    const { status, body } = await connection.sendForBytes({ method: 'GET', path: '/metrics', maxBytes: metricsLimit });
    return status === 200 ? body.toString('utf8') : '';
  };
  const version = await releaseVersion();
  const installation = isBefore ? undefined : await readInstallation(api, version);
  const { capabilities } = installation?.choices ?? defaultChoices;
  const known = view instanceof Error ? undefined : view;
  const all = await Promise.all([
    [ok('API server', `${server}, as ${known?.user ?? 'somebody'}`)],
    tolerant('version', checkVersion(api, capabilities, installation?.choices.webhook != null)),
    [checkClock(known ?? { user: '', aheadMs: undefined })],
    credentials,
    tolerant(
      'feature gates',
      checkGates(readMetrics).then((each) => [each]),
    ),
    ...(installation
      ? ofInstallation(cluster, installation, version, known?.aheadMs ?? 0)
      : [tolerant('installing', checkInstallPermissions(api))]),
    tolerant('CSI drivers', checkDrivers(api, capabilities)),
  ]);
  return all.flat();
}

const inactive = warning('forwarder', 'no forwarder is active', 'longshore run');

function ofInstallation(
  { api }: LimitedCluster,
  { choices, isChosen, isNewer, findings }: Installation,
  version: string,
  aheadMs: number,
): Promise<Finding[]>[] {
  const all = desiredObjects(choices, version);
  const ofRun = desiredObjects({ ...choices, functionRoles: false, userRoles: false }, version);
  const ofOthers = isChosen ? all.filter(({ metadata, kind }) => !ofRun.some(isNamed(kind, metadata))) : [];
  const compared = isNewer
    ? []
    : [
        tolerant('CRDs', checkCrds(api, all)),
        tolerant('policies', checkPolicies(api, all)),
        tolerant('webhook', checkWebhook(api, choices, new Date())),
        ...(choices.runRole ? [tolerant('permissions', checkPermissions(api, ofRun))] : []),
        tolerant('permissions', checkRoles(api, ofOthers)),
      ];
  return [
    Promise.resolve(findings),
    ...compared,
    ...(choices.capabilities.includes('buckets') ? [tolerant('bucket classes', checkBucketClasses(api))] : []),
    tolerant('forwarder', checkForwarders(api, aheadMs, inactive)),
  ];
}

function isNamed(kind: string, { name, namespace }: { name: string; namespace?: string }) {
  return (each: Desired) => each.kind === kind && each.metadata.name === name && each.metadata.namespace === namespace;
}

/** What fails for a reason of its own is told, and hides nothing else. */
function tolerant(subject: string, checking: Promise<Finding[]>): Promise<Finding[]> {
  return checking.catch(unlessDenied(subject)).catch((error: unknown) => {
    if (error instanceof NoAnswer) throw error;
    return [problem(subject, redacted(errorText(error)))];
  });
}
