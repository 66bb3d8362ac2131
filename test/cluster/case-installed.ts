import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import { serviceAccountKubeconfig } from '../../tools/control-plane/manifests.ts';
import { type Ended, longshore } from '../support/longshore-command.ts';
import { ownControlPlane } from './case-control-plane.ts';

interface Role extends ClusterObject {
  rules: { apiGroups: string[]; resources: string[]; verbs: string[] }[];
}

/** A cluster with everything installed that `longshore run` needs, and an administrator who runs commands. */
export function installedCluster() {
  const plane = ownControlPlane();
  let folder = '';
  let manifest: ClusterObject[] = [];
  const clusterRole = () => manifest.find(({ kind }) => kind === 'ClusterRole') as Role;
  const giveBack = () => plane.client().change(clusterRole(), { rules: clusterRole().rules });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'longshore-operate-'));
    const text = await readFile(new URL('../../deployment/run.yaml', import.meta.url), 'utf8');
    manifest = parseAllDocuments(text).map((document) => document.toJS() as ClusterObject);
    for (const object of manifest) await plane.client().create(structuredClone(object));
    const account = { namespace: 'longshore-system', name: 'run' };
    await writeFile(join(folder, 'run'), await serviceAccountKubeconfig(plane.kubeconfig(), account));
  });
  beforeEach(async () => void (await giveBack()));
  afterAll(() => rm(folder, { recursive: true }));

  return {
    client: plane.client,
    /** That of the service account of `longshore run`. */
    runKubeconfig: () => join(folder, 'run'),
    folder: () => folder,
    manifest: () => manifest,
    /** A busy machine answers late. */
    asAdministrator: (command: string, ...args: string[]): Promise<Ended> => {
      const patience = command === 'retry' ? [] : ['--timeout', '120'];
      return longshore([command, ...args, ...patience, '--kubeconfig', plane.kubeconfig()]);
    },
    /** The role without one of its resources. */
    takeAway: async (resource: string): Promise<void> => {
      const rules = clusterRole().rules.flatMap((rule) => {
        const resources = rule.resources.filter((each) => each !== resource);
        return resources.length > 0 ? [{ ...rule, resources }] : [];
      });
      await plane.client().change(clusterRole(), { rules });
    },
    giveBack,
  };
}
