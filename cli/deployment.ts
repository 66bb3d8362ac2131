import type { Deployment } from '../lib/recovery/deployment/deployment.ts';
import { deploymentOfStack } from '../lib/recovery/deployment/deployment-of-stack.ts';
import { UsageError } from './parse/usage-error.ts';

/** The options that name the deployment, for every command that reads one. */
export const deploymentOptions = { stage: { type: 'string' }, stack: { type: 'string' } } as const;

export const deploymentUsage = `  --stage <stage>                stage of the deployment (default: LONGSHORE_STAGE)
  --stack <name>                 name of its CloudFormation stack, instead of --stage`;

/** Region and credentials as for the AWS CLI: AWS_REGION, AWS_PROFILE and so on. */
export function findDeployment(given: Given): Promise<Deployment> {
  return deploymentOfStack(stackNameFrom(given));
}

interface Given {
  stage?: string | undefined;
  stack?: string | undefined;
}

function stackNameFrom({ stage, stack }: Given): string {
  if (stage !== undefined && stack !== undefined) throw new UsageError('use --stage or --stack, not both');
  if (stack !== undefined) return stack;
  const known = stage ?? process.env.LONGSHORE_STAGE;
  if (!known) throw new UsageError('no deployment given: use --stage, or set LONGSHORE_STAGE');
  return `longshore-${known}`;
}
