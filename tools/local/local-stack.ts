import { startControlPlane } from '../control-plane/control-plane.ts';
import type { ControlPlane, ControlPlaneOptions } from '../control-plane/control-plane-options.ts';
import { applyManifests } from '../control-plane/manifests.ts';
import { CsiStandIn } from '../csi-stand-in/stand-in.ts';
import { type DeployedStack, type Deployment, deployStack } from '../local-aws/deploy.ts';
import { installLocalAws } from '../local-aws/install.ts';
import { type LocalAws, startLocalAws } from '../local-aws/local-aws.ts';
import { startForwarder, untilForwarding } from './forwarding.ts';
import { clustersParameter, storeKubeconfigs } from './kubeconfig-secrets.ts';
import { defineSnapshots, type Lacking, startLocalDriver } from './local-driver.ts';

export interface LocalStack {
  readonly controlPlane: ControlPlane;
  readonly localAws: LocalAws;
  readonly stack: DeployedStack;
  readonly deployment: Deployment;
  /** A driver with snapshots, or the reason why there is none. */
  readonly driver: CsiStandIn | Lacking;
  stop(): Promise<void>;
}

/** The name of the cluster in messages. */
export const clusterName = 'local';
const stage = 'local';
/** A run's log can be read when it is over: here that must not take as long as in production. */
const forwardSeconds = '80';
/** The queue of request-bucket is only read while an event is allowed. This one never comes. */
const ofNobody = {
  requests: [{ source: 'nobody', clusters: [clusterName], namespaces: ['none'], classes: ['none'] }],
  adoptions: [],
};

export interface LocalStackOptions extends ControlPlaneOptions {
  /** Parameters of serverless.yml, beside the required ones. */
  parameters?: Readonly<Record<string, string>>;
}

/** Everything that runs in production, on this machine: a cluster, an AWS, and Longshore deployed between them. */
export async function startLocalStack(options: LocalStackOptions = {}): Promise<LocalStack> {
  const progress = options.progress ?? (() => {});
  // Missing requirements on this machine are reported before anything slow begins.
  await installLocalAws(progress);
  const { controlPlane, localAws } = await startBoth(options, progress);
  let driver: LocalStack['driver'] | undefined;
  const stop = async () => {
    if (driver instanceof CsiStandIn) await driver.stop();
    await Promise.all([localAws.stop(), controlPlane.stop()]);
  };
  try {
    const parameters = {
      clusters: clustersParameter(stage, clusterName),
      'forward-timeout-seconds': forwardSeconds,
      'bucket-requests': JSON.stringify(ofNobody),
      ...options.parameters,
    };
    const deployment: Deployment = { localAws, stage, parameters };
    const prepare = async () => {
      await defineSnapshots(controlPlane);
      const start = async () => {
        driver = await startLocalDriver(controlPlane, localAws.folder);
        return driver;
      };
      return allOrFirstError([start(), prepareCluster(controlPlane, localAws, progress)]);
    };
    const [stack, [started]] = await allOrFirstError([deploy(deployment, progress), prepare()]);
    // Without waiting for the first minute of the schedule.
    await startForwarder(localAws, stack);
    await untilForwarding(controlPlane.kubeconfigPath, localAws, stack);
    progress('Longshore is deployed and receives changes');
    return { controlPlane, localAws, stack, deployment, driver: started, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts both at the same time; if one of them fails, the other is stopped. */
async function startBoth(options: ControlPlaneOptions, progress: (line: string) => void) {
  const starting = [startControlPlane(options), startLocalAws({ progress })] as const;
  try {
    const [controlPlane, localAws] = await allOrFirstError(starting);
    return { controlPlane, localAws };
  } catch (error) {
    for (const result of await Promise.allSettled(starting)) {
      if (result.status === 'fulfilled') await result.value.stop();
    }
    throw error;
  }
}

async function prepareCluster(
  controlPlane: ControlPlane,
  localAws: LocalAws,
  progress: (line: string) => void,
): Promise<void> {
  await applyManifests(controlPlane.kubeconfigPath, progress);
  await storeKubeconfigs(localAws, controlPlane.kubeconfigPath, stage, clusterName);
  progress('Applied manifests/ and stored a kubeconfig for each function');
}

/** The output of the deployment is only useful if it fails, and then it is in the error. */
async function deploy(deployment: Deployment, progress: (line: string) => void): Promise<DeployedStack> {
  const started = Date.now();
  progress('Deploying serverless.yml');
  const stack = await deployStack(deployment);
  progress(
    `Deployed ${Object.keys(stack.functionNames).join(', ')} in ${((Date.now() - started) / 1000).toFixed(1)} s`,
  );
  return stack;
}

/** Like Promise.all, but an error is only thrown once no other promise is pending. */
async function allOrFirstError<T extends readonly unknown[]>(
  work: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> {
  await Promise.allSettled(work);
  return (await Promise.all(work)) as unknown as T;
}
