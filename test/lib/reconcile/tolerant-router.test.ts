import { expect, test } from '@jest/globals';
import { resources } from '../../../lib/kubernetes/resources.ts';
import type { Change, Router } from '../../../lib/reconcile/routing.ts';
import { logSkipped, TolerantRouter } from '../../../lib/reconcile/tolerant-router.ts';
import type { LogFields } from '../../../lib/runtime/log.ts';
import { claim } from '../../support/builders.ts';

const change = (name: string): Change => {
  return { type: 'added', resource: resources.claim, object: claim({ metadata: { name } }), seenAt: new Date() };
};

/** Understands no object. */
function mistaken(problemOf: (name: string) => string) {
  const told: LogFields[] = [];
  const log = { error: (_: string, fields: LogFields = {}) => void told.push(fields) };
  const note: Router['note'] = ({ object }) => {
    throw new TypeError(problemOf(object.metadata.name));
  };
  const router = new TolerantRouter({ note, routesOf: () => [] } as unknown as Router, logSkipped(log, 'main'));
  return { router, told };
}

test('each object that is skipped is told, and where our mistake is with the first of them', () => {
  const { router, told } = mistaken(() => 'owners is not iterable');
  for (const name of ['one', 'two']) expect(router.take(change(name))).toEqual([]);
  const always = { cluster: 'main', kind: 'PersistentVolumeClaim', error: 'TypeError: owners is not iterable' };
  expect(told).toMatchObject([
    { ...always, name: 'one', stack: expect.stringMatching(/\n\s+at .*tolerant-router\.test\.ts:\d+/) },
    { ...always, name: 'two', stack: undefined },
  ]);
});

test('mistakes that name each object do not fill the log with their places', () => {
  const { router, told } = mistaken((name) => `${name} has no owner`);
  for (let index = 0; index < 30; index += 1) router.take(change(`claim-${index}`));
  expect(told).toHaveLength(30);
  expect(told.filter(({ stack }) => stack !== undefined)).toHaveLength(10);
});
