import { expect, test } from '@jest/globals';
import { billOf } from '../../../deployment/cost/bill.ts';
import type { BilledFunction, Inventory } from '../../../deployment/cost/inventory.ts';
import { prices } from '../../../deployment/cost/prices.ts';

const region = prices['us-east-1'];
const nothing: Inventory = {
  clusters: 1,
  architecture: 'arm64',
  functions: [],
  queues: 0,
  alarms: { standard: 0, highResolution: 0, composite: 0, all: 0 },
  metrics: [],
  dashboards: [],
  secrets: 0,
  keys: 0,
  archiveDays: 0,
  logDays: 30,
};
const idle: BilledFunction = { name: 'idle', megabytes: 512, timeoutSeconds: 30, starts: 0, schedules: 0, pollers: 0 };
const step = { ...idle, name: 'step', pollers: 5 };
const forward = { ...idle, name: 'forward', timeoutSeconds: 900, starts: 43_800, schedules: 1 };
const dollarsOf = (inventory: Partial<Inventory>, changes = 0) =>
  Object.fromEntries(billOf({ ...nothing, ...inventory }, changes, region).map(({ item, dollars }) => [item, dollars]));

test('a deployment in which nothing is costs nothing', () => {
  expect(dollarsOf({})).toEqual({});
  expect(dollarsOf({ functions: [idle], queues: 2 })).toEqual({});
});

test('a forwarder costs its memory for the whole month, and its starts a little', () => {
  const { forwarder = 0, invocations } = dollarsOf({ functions: [forward] });
  const always = 730 * 3_600 * 0.5 * 0.0000133334;
  expect(forwarder).toBeGreaterThan(always);
  expect(forwarder).toBeLessThan(always * 1.1);
  expect(invocations).toBeCloseTo(0.0438 * 0.2);
  expect(dollarsOf({ functions: [{ ...forward, megabytes: 256 }] }).forwarder).toBeCloseTo(forwarder / 2);
  expect(dollarsOf({ functions: [forward], architecture: 'x86_64' }).forwarder).toBeCloseTo(forwarder * 1.25, 3);
  expect(dollarsOf({ functions: [{ ...forward, starts: 87_600, schedules: 2 }] }).forwarder).toBeCloseTo(forwarder * 2);
});

test('a run of a quarter of an hour each hour is no forwarder', () => {
  const resync = { ...idle, name: 'resync', timeoutSeconds: 900, starts: 730, schedules: 1 };
  expect(dollarsOf({ functions: [resync] })).toEqual({
    'other scheduled runs': expect.closeTo(730 * 5 * 0.5 * 0.0000133334),
    invocations: expect.closeTo(0.00073 * 0.2),
  });
});

test('an empty queue is asked every 20 s on each of its connections', () => {
  expect(dollarsOf({ functions: [step] })).toEqual({ polling: expect.closeTo(5 * 0.1314 * 0.5) });
  expect(dollarsOf({ functions: [step, { ...step, pollers: 2 }] }).polling).toBeCloseTo(7 * 0.1314 * 0.5);
});

test('an alarm costs what the metrics cost that it watches', () => {
  const alarms = { standard: 12, highResolution: 2, composite: 1, all: 5 };
  const lines = billOf({ ...nothing, alarms }, 0, region);
  expect(lines.map(({ quantity, dollars }) => [quantity, dollars])).toEqual([
    [12, expect.closeTo(1.2)],
    [2, expect.closeTo(0.6)],
    [1, 0.5],
  ]);
});

test('a metric costs the hours in which it has data', () => {
  const metrics = (
    ['each minute', 'each day', 'with each batch', 'with each result', 'with each failure'] as const
  ).map((reported) => ({ name: reported, reported, count: 1 }));
  expect(dollarsOf({ metrics })).toEqual({ metrics: expect.closeTo(0.3 * (1 + 1 / 24)) });
  expect(dollarsOf({ metrics }, 12).metrics).toBeCloseTo(0.3 * (1 + 1 / 24 + 0.5 + 0.05));
  expect(dollarsOf({ metrics }, 1e6).metrics).toBeCloseTo(0.3 * (1 + 1 / 24 + 1 + 1));
});

test('a dashboard costs something if it has many metrics', () => {
  expect(dollarsOf({ dashboards: [{ metrics: 50 }] })).toEqual({});
  expect(dollarsOf({ dashboards: [{ metrics: 51 }, { metrics: 3 }] })).toEqual({ dashboard: 3 });
});

test('changes cost calls, time and lines, of each cluster', () => {
  const inventory = { functions: [step, step], archiveDays: 30 };
  const one = dollarsOf(inventory, 1_000);
  expect(one.messages).toBeCloseTo((1_000 * (730 / 24) * 3 * 0.5) / 1e6);
  expect(one.steps).toBeCloseTo(1_000 * (730 / 24) * 0.1 * 0.5 * 0.0000133334);
  expect(one.archive).toBeCloseTo((730 / 24) * 0.005);
  const ten = dollarsOf({ ...inventory, clusters: 10 }, 1_000);
  for (const item of ['messages', 'steps', 'log', 'archive']) expect(ten[item]).toBeCloseTo((one[item] ?? 0) * 10, 5);
  // A segment every five seconds at most.
  expect(dollarsOf(inventory, 1e7).archive).toBeCloseTo(17.28 * (730 / 24) * 0.005);
});

test('secrets and keys cost something where there are any', () => {
  expect(dollarsOf({ secrets: 14 })).toEqual({ secrets: expect.closeTo(5.6) });
  expect(dollarsOf({ keys: 1, functions: [idle], queues: 1 })).toEqual({
    key: 1,
    'calls for the key': expect.closeTo(0.146 * 0.03),
  });
});
