import type { LeaseOptions } from '../../../lib/forwarder/lease.ts';
import type { LeaseRecord } from '../../../lib/forwarder/lease-record.ts';
import type { Answer } from '../../../lib/kubernetes/connection.ts';
import type { Network } from './lease-network.ts';
import type { Variant } from './lease-play.ts';
import type { LeaseCall, LeaseServer } from './lease-server.ts';

type Send = Network['send'];
type Surroundings = { given: LeaseOptions; send: Send; server: LeaseServer };

/** The faulty variants are made by what surrounds a lease: it acts as one would that had the fault in itself. */
const sending = (change: (surroundings: Surroundings) => Send): Variant => ({
  surroundings: (given, network, server) => {
    const send = change({ given, send: network.send, server });
    return { connection: { send } as LeaseOptions['connection'] };
  },
});

const isWrite = ({ method }: LeaseCall) => method !== 'GET';
const isAccepted = ({ status }: Answer) => status === 200;
const changed = (answer: Answer, change: (record: LeaseRecord) => LeaseRecord): Answer =>
  isAccepted(answer) ? { ...answer, body: JSON.stringify(change(JSON.parse(answer.body))) } : answer;

const withSpec = (record: LeaseRecord, spec: LeaseRecord['spec']) => ({ ...record, spec: { ...record.spec, ...spec } });

const trustsOthersTime = sending(({ given, send }) => async (call) => {
  const answer = await send(call);
  if (isWrite(call)) return answer;
  return changed(answer, (record) => {
    const ageMs = given.clock.now().getTime() - Date.parse(record.spec?.renewTime ?? '');
    return ageMs > 15_000 ? withSpec(record, { holderIdentity: '' }) : record;
  });
});

const waitsTooShort = sending(({ send }) => async (call) => {
  const answer = await send(call);
  return isWrite(call) ? answer : changed(answer, (record) => withSpec(record, { leaseDurationSeconds: 12 }));
});

const withoutPrecondition = sending(({ send, server }) => (call) => {
  const record = call.body as LeaseRecord | undefined;
  const { stored } = server;
  if (call.method !== 'PUT' || !record || !stored) return send(call);
  const { uid, resourceVersion } = stored.metadata;
  const metadata = { ...record.metadata, ...(uid && resourceVersion ? { uid, resourceVersion } : {}) };
  return send({ ...call, body: { ...record, metadata } });
});

/** An answer that does not come within its time stands for one that says yes. */
const believesLostAnswers = sending(({ given, send }) => (call) => {
  const record = call.body as LeaseRecord | undefined;
  if (!record) return send(call);
  const written = { ...record, metadata: { resourceVersion: 'not told', ...record.metadata } };
  const yes = given.clock.pause(2_900).then(() => ({ status: 200, body: JSON.stringify(written) }));
  return Promise.race([send(call).catch(() => yes), yes]);
});

/** It judges by its writes in its own way whether it holds the lease. */
const holding = (from: 'request' | 'answer', isGivenAwayAt: 'once' | 'never'): Variant => ({
  surroundings: ({ clock }, network) => {
    let fromMs = Number.NEGATIVE_INFINITY;
    let gifts = 0;
    const send: Send = async (call) => {
      const sentMs = clock.elapsedMs();
      const isGift = isWrite(call) && (call.body as LeaseRecord).spec?.holderIdentity === '';
      if (isGift && isGivenAwayAt === 'once') {
        fromMs = Number.NEGATIVE_INFINITY;
        gifts += 1;
      }
      const giftsBefore = gifts;
      const answer = await network.send(call);
      // What was sent before it was given away takes nothing back.
      const isOurs = isWrite(call) && isAccepted(answer) && !isGift && gifts === giftsBefore;
      if (isOurs) fromMs = from === 'answer' ? clock.elapsedMs() : sentMs;
      return answer;
    };
    const connection = { send, isHeld: () => clock.elapsedMs() < fromMs + 15_000 };
    return { connection: connection as unknown as LeaseOptions['connection'] };
  },
  isHeld: (_, network) => (network as Network & { isHeld(): boolean }).isHeld,
});

/** What it measures by is a time of day, which jumps. */
const measuresByTheTimeOfDay: Variant = {
  surroundings: ({ clock }) => ({ clock: { ...clock, elapsedMs: () => clock.now().getTime() } }),
};

/** It takes the record for unchanged from when it asked, and not from when it was told. */
const waitsFromTheQuestion: Variant = {
  surroundings: ({ clock }, network) => {
    let askedMs: number | undefined;
    const elapsedMs = () => {
      const now = askedMs ?? clock.elapsedMs();
      askedMs = undefined;
      return now;
    };
    const send: Send = async (call) => {
      const sentMs = clock.elapsedMs();
      const answer = await network.send(call);
      if (!isWrite(call)) askedMs = sentMs;
      return answer;
    };
    return { clock: { ...clock, elapsedMs }, connection: { send } as LeaseOptions['connection'] };
  },
};

/** Its renewals may be the same as what is there, which changes no version that others could see. */
const renewsUnseen: Variant = {
  surroundings: (given, network) => {
    const send: Send = (call) => {
      const record = call.body as LeaseRecord | undefined;
      if (!record || record.metadata.resourceVersion === undefined) return network.send(call);
      const { 'longshore.dev/renewal': _, ...annotations } = record.metadata.annotations ?? {};
      return network.send({ ...call, body: { ...record, metadata: { ...record.metadata, annotations } } });
    };
    const clock = { ...given.clock, now: () => new Date(0) };
    return { clock, connection: { send } as LeaseOptions['connection'] };
  },
};

/** What the faulty ones that judge by their writes would be without their fault. */
export const soundVariant = holding('request', 'once');

export const mutants: Record<string, Variant> = {
  "trusts the others' time of day": trustsOthersTime,
  'waits for less than the duration': waitsTooShort,
  'writes without a precondition': withoutPrecondition,
  'believes an answer that was lost': believesLostAnswers,
  'counts from the answer': holding('answer', 'once'),
  'believes that it has what it has given away': holding('request', 'never'),
  'measures by the time of day': measuresByTheTimeOfDay,
  'waits from when it asked': waitsFromTheQuestion,
  'renews so that nobody sees it': renewsUnseen,
};
