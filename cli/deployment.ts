import type { Deployment } from '../lib/recovery/deployment/deployment.ts';
import { deploymentOfStack } from '../lib/recovery/deployment/deployment-of-stack.ts';
import type { DeploymentOptions } from './deployment-options.ts';
import { UsageError } from './parse/usage-error.ts';

/** Region and credentials as for the AWS CLI: AWS_REGION, AWS_PROFILE and so on. */
export function findDeployment(given: DeploymentOptions): Promise<Deployment> {
  return deploymentOfStack(stackNameFrom(given));
}

function stackNameFrom({ stage, stack }: DeploymentOptions): string {
  if (stage !== undefined && stack !== undefined) throw new UsageError('use --stage or --stack, not both');
  if (stack !== undefined) return stack;
  const known = stage ?? process.env.LONGSHORE_STAGE;
  if (!known) throw new UsageError('no deployment given: use --stage, or set LONGSHORE_STAGE');
  return `longshore-${known}`;
}
