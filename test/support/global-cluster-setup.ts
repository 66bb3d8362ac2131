import { findBinaries } from '../../tools/control-plane/binaries.ts';
import { type Lending, type LentControlPlane, type LentData, lend, lendings } from './lending.ts';
import { addSnapshots, type PreparedControlPlane, startFirst, startPrepared } from './prepared-control-plane.ts';

declare global {
  var longshoreTestControlPlanes: { lendings: Lending[]; started: Promise<PreparedControlPlane>[] } | undefined;
}

/**
 * Each of jest's workers gets a control plane of its own, as soon as the first file that it runs asks for one: a file has
 * the whole cluster while it runs. Those of one worker share it, with their objects in namespaces of their own. All others,
 * of workers and of single files, begin with the data of the first.
 */
export default async function setUp(): Promise<void> {
  const progress = (line: string) => console.log(line);
  // A first run builds them, which takes longer than any test.
  if (!process.env.LONGSHORE_KUBECONFIG) await findBinaries({ progress });
  const started: Promise<PreparedControlPlane>[] = [];
  const dataOfFirst = async (): Promise<LentData> => {
    const { data: copied } = (await started[0]) ?? {};
    return copied ? { data: copied } : {};
  };
  const planes = await lend(lendings.controlPlanes, async () => {
    const options = { auditLog: true, progress };
    const starting =
      started.length === 0 ? startFirst(options) : dataOfFirst().then((lent) => startPrepared({ ...options, ...lent }));
    started.push(starting);
    const { kubeconfigPath, auditLogPath } = (await starting).plane;
    // A cluster that was given has no log that can be read here.
    return { kubeconfigPath, ...(auditLogPath ? { auditLogPath } : {}) } satisfies LentControlPlane;
  });
  const data = await lend(lendings.preparedData, async (prepared) => {
    const { data: first } = await dataOfFirst();
    if (first === undefined) return {};
    return { data: prepared === 'snapshots' ? await addSnapshots(first, `${first}-snapshots`) : first };
  });
  globalThis.longshoreTestControlPlanes = { lendings: [planes, data], started };
}
