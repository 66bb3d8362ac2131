import { parse } from 'yaml';
import { completeService } from './complete-service.ts';
import type { DeploymentTarget } from './parameter-readers.ts';
import { readParameters } from './parameters.ts';
import type { FunctionBlock, Resources, Service } from './service.ts';

const customTags = [
  { tag: '!Ref', resolve: (value: string) => ({ Ref: value }) },
  { tag: '!Sub', resolve: (value: string) => ({ 'Fn::Sub': value }) },
  { tag: '!GetAtt', resolve: (value: string) => ({ 'Fn::GetAtt': value.split('.') }) },
];

/** The text of serverless.yml, before its variables are resolved. */
export interface ServiceFile extends Service {
  readonly params: { readonly default: Readonly<Record<string, string | number>> };
  readonly provider: Service['provider'] & {
    readonly environment: Record<string, unknown>;
    readonly memorySize: number;
  };
  readonly custom: Service['custom'] & { readonly identity: string };
}

export function parsedService(text: string): ServiceFile {
  return parse(text, { merge: true, customTags });
}

/** A service as it is packaged. */
export interface PackagedService {
  functions: Record<string, FunctionBlock & { role: unknown; environment: Record<string, unknown> }>;
  provider: ServiceFile['provider'];
  resources: Resources;
}

/**
 * The service as `serverless package` makes it with these parameters, but in this process and without bundles: the variables
 * of serverless.yml are few.
 */
export function packagedService(
  text: string,
  parameters: Readonly<Record<string, unknown>>,
  target: DeploymentTarget,
): PackagedService {
  const { service, custom } = parsedService(text);
  const resolve = (value: string): string =>
    value
      .replaceAll(/\$\{param:([a-z-]+)\}/g, (_, name: string) => String(parameters[name]))
      .replaceAll(`\${self:custom.identity}`, () => resolve(custom.identity))
      .replaceAll(`\${self:service}`, service)
      .replaceAll(`\${sls:stage}`, target.stage);
  const resolved = parse(text, {
    merge: true,
    customTags,
    reviver: (_: unknown, value: unknown) => (typeof value === 'string' ? resolve(value) : value),
  });
  completeService(resolved, readParameters(parameters, target), target.stage);
  return resolved;
}
