import { beforeEach, describe, expect, test } from '@jest/globals';
import { applyPlan, Interrupted } from '../../../lib/install/apply-plan.ts';
import type { AnyObject } from '../../../lib/install/installable.ts';
import { makePlan } from '../../../lib/install/make-plan.ts';
import { changesOf, conflictsOf } from '../../../lib/install/plan.ts';
import { planRemoval } from '../../../lib/install/removal.ts';
import { remove } from '../../../lib/install/remove.ts';
import { ClusterError } from '../../../lib/kubernetes/errors.ts';
import { realClock } from '../../../lib/runtime/clock.ts';
import { MemoryApi } from './memory-api.ts';

let api: MemoryApi;
beforeEach(() => {
  api = new MemoryApi();
});

const plan = () => makePlan(api, { version: '1.0.0' });
const options = (more: { signal?: AbortSignal; forceConflicts?: boolean; withinMs?: number } = {}) => {
  const { withinMs = 10_000, ...others } = more;
  return { clock: realClock, deadlineMs: realClock.elapsedMs() + withinMs, progress: () => {}, ...others };
};

test('what is planned is done, in that order', async () => {
  const made = await plan();
  await applyPlan(api, made, options());
  expect(api.writes.length).toBe(made.entries.length);
  expect(api.writes[0]).toBe('apply /api/v1/namespaces/longshore-system');
  expect(changesOf(await plan())).toEqual([]);
});

describe('a run that ends anywhere', () => {
  test('is completed by the next one', async () => {
    const whole = changesOf(await plan()).length;
    for (let after = 0; after < whole; after += 1) {
      api = new MemoryApi();
      const died = new Error('the process has died');
      api.beforeWrite = () => {
        if (api.writes.length >= after) throw died;
      };
      await expect(applyPlan(api, await plan(), options())).rejects.toBe(died);
      api.beforeWrite = () => {};
      await applyPlan(api, await plan(), options());
      expect(changesOf(await plan())).toEqual([]);
    }
  });

  test('by Ctrl-C does so between two objects', async () => {
    const stop = new AbortController();
    api.beforeWrite = () => {
      if (api.writes.length === 9) stop.abort();
    };
    await expect(applyPlan(api, await plan(), options({ signal: stop.signal }))).rejects.toThrow(Interrupted);
    expect(api.writes.length).toBe(10);
  });

  test('while it removes is completed as well', async () => {
    await applyPlan(api, await plan(), options());
    const { objects } = await planRemoval(api, new Date());
    for (let after = 0; after < objects.length; after += 1) {
      api = new MemoryApi();
      await applyPlan(api, await plan(), options());
      api.writes.length = 0;
      const died = new Error('the process has died');
      api.beforeWrite = () => {
        if (api.writes.length >= after) throw died;
      };
      await expect(remove(api, await planRemoval(api, new Date()), options())).rejects.toBe(died);
      api.beforeWrite = () => {};
      await remove(api, await planRemoval(api, new Date()), options());
      expect([...api.objects.keys()]).toEqual([]);
    }
  });
});

test('what somebody changes between plan and write is not overwritten', async () => {
  await applyPlan(api, await plan(), options());
  const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles/longshore-run';
  api.objects.delete(path);
  const made = await plan();
  api.changeAs('kubectl-edit', path, { kind: 'ClusterRole', metadata: { name: 'longshore-run' }, rules: [] });
  await expect(applyPlan(api, made, options())).rejects.toThrow(
    'clusterrole/longshore-run was changed meanwhile: Apply failed: conflict with "kubectl-edit". Run install again',
  );
  await applyPlan(api, made, options({ forceConflicts: true }));
  expect(api.objects.get(path)?.rules).not.toEqual([]);
});

describe('what others have set to the same, which the server takes for a conflict', () => {
  const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles/longshore-run';
  const bodies: { force: boolean; resourceVersion: unknown }[] = [];

  beforeEach(async () => {
    await applyPlan(api, await plan(), options());
    const found = api.objects.get(path);
    if (found) found.metadata = { name: 'longshore-run', uid: 'x', resourceVersion: '7' };
    const apply = api.apply.bind(api);
    bodies.length = 0;
    api.apply = async (at, body, given = {}) => {
      if (at === path && !given.force) throw new ClusterError('conflict', 'conflict with "kubectl"', 409);
      const { resourceVersion } = (body as AnyObject).metadata;
      if (at === path && !given.isDryRun) bodies.push({ force: given.force === true, resourceVersion });
      return apply(at, body, given);
    };
  });

  test('is taken over from the version that was seen', async () => {
    const made = await plan();
    expect([conflictsOf(made), changesOf(made).map(({ action }) => action)]).toEqual([[], ['adopt']]);
    await applyPlan(api, made, options());
    expect(bodies).toEqual([{ force: true, resourceVersion: '7' }]);
  });

  test('is not where it differs', async () => {
    const found = api.objects.get(path);
    if (found) found.rules = [];
    const made = await plan();
    expect([conflictsOf(made).length, changesOf(made)[0]?.takenOverFrom]).toEqual([1, undefined]);
  });
});

test('a kind that is not served is waited for, and named in the end', async () => {
  const made = await plan();
  api.unserved.add('cosi.io/v1alpha1');
  await expect(applyPlan(api, made, options({ withinMs: 0 }))).rejects.toThrow(
    /^the cluster does not serve \w+\.cosi\.io yet: see 'kubectl describe crd \w+\.cosi\.io', and run install again$/,
  );
  // Nothing that could use it is there.
  expect(api.writes.filter((write) => write.includes('clusterrole'))).toEqual([]);
});
