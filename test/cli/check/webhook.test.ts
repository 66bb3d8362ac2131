import { expect, test } from '@jest/globals';
import { checkWebhook } from '../../../cli/check/webhook-check.ts';
import type { ClusterApi } from '../../../cli/connect/cluster-api.ts';
import { silenceOfWebhook } from '../../../cli/install/silent-webhook.ts';
import type { AnyObject } from '../../../lib/install/installable.ts';
import type { WebhookChoice } from '../../../lib/install/webhook-choice.ts';
import { ClusterError } from '../../../lib/kubernetes/errors.ts';
import { selfSignedCertificate } from '../../../tools/control-plane/certificate.ts';
import { changed, claimsAnswered } from '../../lib/install/claims-answered.ts';

const url = 'https://10.0.0.7:8443';
const capabilities = ['transfers', 'data-sources'] as const;

function checked(
  answer: Parameters<typeof claimsAnswered>[0],
  webhook: WebhookChoice | null = { url },
  served: string[] = [],
) {
  const { api, tried } = claimsAnswered(answer);
  const resources = served.map((name) => ({ name }));
  const reading = { ...api, get: async () => ({ resources }) } as unknown as ClusterApi;
  return { findings: checkWebhook(reading, { webhook, capabilities }, new Date()), tried };
}

const same = (claim: AnyObject) => claim;

test('a webhook that nobody has chosen is not looked for', async () => {
  const { findings, tried } = checked(same, null);
  expect([await findings, tried]).toEqual([[], []]);
});

test('one that answers is well', async () => {
  const detail = `${url} answers the API server`;
  expect(await checked(changed).findings).toEqual([{ level: 'ok', subject: 'webhook', detail }]);
});

test('beside policies of the server it cannot be told which of them has changed a claim', async () => {
  const [finding, ...others] = await checked(changed, { url }, ['mutatingadmissionpolicies']).findings;
  expect([finding?.level, others]).toEqual(['ok', []]);
  expect(finding?.detail).toContain('which the policies of this server do as well');
});

test('one that does not answer is a problem, and so it is for install, which waits a while for it', async () => {
  const [finding] = await checked(same).findings;
  expect(finding).toMatchObject({ level: 'problem', detail: expect.stringContaining(`the webhook at ${url}`) });
  let nowMs = 0;
  const clock = {
    now: () => new Date(nowMs),
    elapsedMs: () => nowMs,
    pause: async (milliseconds: number) => {
      nowMs += milliseconds;
    },
  };
  const waiting = { clock, deadlineMs: 120_000 };
  const choices = { webhook: { url }, capabilities };
  const said = await silenceOfWebhook(claimsAnswered(same).api, choices, waiting);
  expect(said).toContain(`${finding?.detail}. Run longshore check`);
  expect(nowMs).toBeGreaterThanOrEqual(10_000);
  expect(nowMs).toBeLessThan(20_000);
  const beginsAt = nowMs + 3_000;
  const late = claimsAnswered((claim) => (nowMs < beginsAt ? claim : changed(claim)));
  expect(await silenceOfWebhook(late.api, choices, waiting)).toBeUndefined();
  expect(await silenceOfWebhook(claimsAnswered(same).api, { ...choices, webhook: null }, waiting)).toBeUndefined();
});

test('what somebody else refuses says nothing about it', async () => {
  const refused = () => {
    throw new ClusterError('rejected', 'exceeded quota: claims', 403);
  };
  const findings = await checked(refused).findings;
  expect(findings.map(({ level }) => level)).toEqual(['warning', 'warning', 'warning']);
  expect(findings[0]?.detail).toContain('could not be tried: exceeded quota: claims');
});

test.each([
  ['has ended', selfSignedCertificate(-2).cert, 'ended on 20'],
  [
    'is none',
    '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    'is no certificate: install with another one',
  ],
])('an authority that %s is said to be so, and nothing is tried', async (_, caBundle, text) => {
  const { findings, tried } = checked(same, { url, caBundle });
  expect(await findings).toMatchObject([{ level: 'problem', detail: expect.stringContaining(text) }]);
  expect(tried).toEqual([]);
});
