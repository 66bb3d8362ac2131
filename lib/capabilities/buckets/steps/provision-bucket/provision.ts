import type { Secret } from '../../../../kubernetes/objects.ts';
import { resources } from '../../../../kubernetes/resources.ts';
import { type Said, stamp } from '../../../../reconcile/conditions.ts';
import { waitFor } from '../../../../reconcile/obstacle.ts';
import { create, patch } from '../../../../reconcile/writes.ts';
import { contentType, reportContent } from '../../content-status.ts';
import type { AccessMode, Flow, GrantAccessOutcome } from '../../drivers/driver.ts';
import { systemNamespace } from '../../names.ts';
import { isJoining } from '../../namesakes.ts';
import type { Bucket, BucketContent } from '../../objects.ts';
import type { BucketReason } from '../../reasons.ts';
import { dataPatch, decode, encode, environmentOf, isOwned, onlyCredentials, sourceSecretFor } from '../../secrets.ts';
import { fail, isTurn, type StoreTurn, turnAtStore } from './at-store.ts';
import { callOf } from './driver-call.ts';
import { giveWay } from './sharing.ts';
import type { ProvisioningDecision, ProvisioningWorld } from './world.ts';

const secretPart = { slot: 'secret', resource: resources.secret } as const;
const contentPart = { slot: 'content', resource: resources.bucketContent } as const;

/**
 * An order that survives a crash at any point: names are recorded and the content is held before this begins; the
 * bucket; a Secret for the credentials, still empty; access, which revokes any credentials that the Secret does not
 * hold; the credentials into the Secret; and only then the report that they exist.
 */
export function provision(
  world: ProvisioningWorld,
  content: BucketContent,
  bucket: Bucket,
  now: Date,
): ProvisioningDecision {
  const { secret, problems, registration, identity } = world;
  if (!problems) return { do: 'done', reason: 'NotOurDriver' };
  if (bucket.metadata.deletionTimestamp) return waitFor('BucketDeleted', 'the Bucket is being deleted');
  if (isProvisioned(content, secret)) return { do: 'done', reason: 'Provisioned' };
  if (!registration) return awaitRegistration(world, content, now);
  // Another deployment serves this driver here, and only that one may report on its contents.
  if (registration.spec.identity !== identity) return { do: 'done', reason: 'NotOurDriver' };
  if (problems.length > 0) return fail(world, content, { result: 'invalid', message: problems.join('; ') }, now);
  const way = giveWay(world, content, now);
  if (way) return way;
  const isForeign = secret !== undefined && !isOwned(secret, content);
  const instead = isForeign ? refuseSecret(world, content, secret, now) : undefined;
  const turn = turnAtStore(world, content, now, { instead, status: statusWhileAtWork(content, now) });
  return isTurn(turn) ? atStore(world, content, bucket, turn, now) : turn;
}

/** Credentials that are being recreated do not exist meanwhile: after a crash, no reader may believe that they do. */
function statusWhileAtWork(content: BucketContent, now: Date): object {
  const { phase } = content.status ?? {};
  const calledAt = now.toISOString();
  if (phase !== 'Ready' && phase !== 'Bound') return { calledAt };
  const message = 'the Secret with the credentials is gone or empty: they are created again';
  const said: Said<BucketReason> = { type: contentType, status: 'False', reason: 'CredentialsLost', message };
  const condition = stamp(said, content.status?.conditions, content.metadata.generation, now);
  return { calledAt, phase: 'Retrying', message, conditions: [condition] };
}

/** Once the credentials have been reported, they are only checked again if their Secret is gone. */
function isProvisioned(content: BucketContent, secret: Secret | undefined): boolean {
  const { phase } = content.status ?? {};
  const isFilled = Object.keys(secret?.data ?? {}).length > 0;
  return (phase === 'Ready' || phase === 'Bound') && isFilled && content.spec.secretRef !== undefined;
}

function awaitRegistration(world: ProvisioningWorld, content: BucketContent, now: Date): ProvisioningDecision {
  const waiting = waitFor('DriverNotRegistered', `driver ${content.spec.provisioner} is not registered yet`);
  return reportContent(world, content, waiting, now) ?? waiting;
}

function atStore(
  world: ProvisioningWorld,
  content: BucketContent,
  bucket: Bucket,
  turn: StoreTurn,
  now: Date,
): ProvisioningDecision {
  const { created, granted, secret, answered = [] } = world;
  // Another content may be about to empty the bucket: only what is read after the start has been recorded shows that.
  if (isJoining(content) && !granted && answered.includes('content')) return { do: 'reread', reason: 'Begun' };
  if (content.spec.flow === 'Greenfield') {
    const request = { ...requested(bucket, turn), isHandedOver: content.spec.secretRef !== undefined };
    if (!created) return callOf(content, { operation: 'CreateBucket', slot: 'created', request });
  }
  if (!secret) return create(secretPart, sourceSecretFor(content));
  if (!granted) {
    const { flow, accessModes = [] } = content.spec;
    const access = { flow: flow as Flow, mode: modeOf(accessModes), held: decode(secret) };
    const request = { ...requested(bucket, turn), ...access };
    return callOf(content, { operation: 'GrantBucketAccess', slot: 'granted', request });
  }
  return granted.result === 'granted'
    ? handOver(world, content, secret, granted, now)
    : fail(world, content, granted, now);
}

/** The store's answer into the Secret first. A content that reports `Ready` has valid credentials. */
function handOver(
  world: ProvisioningWorld,
  content: BucketContent,
  secret: Secret,
  { location, credentials }: Extract<GrantAccessOutcome, { result: 'granted' }>,
  now: Date,
): ProvisioningDecision {
  const values = environmentOf(location, credentials ?? onlyCredentials(decode(secret)));
  const data = dataPatch(secret.data, encode(values));
  if (data) return patch(secretPart, secret, { data });
  const { secretRef } = content.spec;
  const { name } = secret.metadata;
  if (secretRef?.name !== name) {
    return patch(contentPart, content, { spec: { secretRef: { namespace: systemNamespace, name } } });
  }
  const message = `bucket ${location.bucket} exists, and access to it is granted`;
  const saying = { reason: 'Provisioned', message, also: { failedAt: null } } as const;
  return reportContent(world, content, saying, now) ?? { do: 'done', reason: 'Provisioned' };
}

function refuseSecret(
  world: ProvisioningWorld,
  content: BucketContent,
  { metadata }: Secret,
  now: Date,
): ProvisioningDecision {
  const message = `Secret ${metadata.namespace}/${metadata.name} exists and does not belong to this BucketContent, so it is left unchanged: this continues when the name is free`;
  return fail(world, content, { result: 'taken', message }, now);
}

function requested({ metadata }: Bucket, turn: StoreTurn) {
  return { ...turn, requester: { namespace: metadata.namespace ?? '', name: metadata.name } };
}

/** If the class names no mode, applications expect to read and to write. */
function modeOf(modes: readonly AccessMode[]): AccessMode {
  if (modes.length === 0 || modes.includes('rw')) return 'rw';
  return modes.includes('ro') && modes.includes('wo') ? 'rw' : (modes[0] ?? 'rw');
}
