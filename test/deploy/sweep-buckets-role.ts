import {
  CreateFunctionCommand,
  DeleteFunctionCommand,
  GetFunctionConfigurationCommand,
  InvokeCommand,
} from '@aws-sdk/client-lambda';
import { zipOf } from '../../deployment/bundle/zip.ts';
import type { Keys } from '../../lib/capabilities/buckets/drivers/s3/connection-settings.ts';
import { nameOfFunction, type TestStack } from '../support/deployed-stack.ts';

const tellCredentials = `export const handler = async () => ({
  accessKeyId: process.env.AWS_ACCESS_KEY_ID,
  secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY,
  sessionToken: process.env.AWS_SESSION_TOKEN,
});`;

/** Only Lambda may take on the function's role, so another function of that role tells its keys. */
export async function keysOfRole(deployed: TestStack, functionName: string): Promise<Keys> {
  const { lambda } = deployed;
  const command = new GetFunctionConfigurationCommand({ FunctionName: nameOfFunction(deployed, functionName) });
  const { Role, Runtime } = await lambda.send(command);
  const FunctionName = `keys-of-${functionName}`;
  const Code = { ZipFile: zipOf({ 'handler.mjs': Buffer.from(tellCredentials) }) };
  await lambda.send(new CreateFunctionCommand({ FunctionName, Role, Runtime, Handler: 'handler.handler', Code }));
  try {
    const { Payload } = await lambda.send(new InvokeCommand({ FunctionName }));
    return JSON.parse(Buffer.from(Payload ?? []).toString('utf8'));
  } finally {
    await lambda.send(new DeleteFunctionCommand({ FunctionName }));
  }
}
