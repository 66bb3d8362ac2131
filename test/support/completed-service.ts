import { readFile } from 'node:fs/promises';
import { type PackagedService, packagedService, parsedService } from '../../deployment/serverless/packaged-service.ts';

export const stage = 'production';
export const place = { stage, region: 'eu-central-1' };
export const clusters = clustersNamed('main');

export function clustersNamed(...names: string[]): string {
  const from = `secretsmanager:longshore/${stage}/clusters/main/{function}`;
  return JSON.stringify(names.map((name) => ({ name, access: { type: 'kubeconfig', from } })));
}

export const text = await readFile(new URL('../../serverless.yml', import.meta.url), 'utf8');

/** What serverless.yml says, before its variables are resolved. */
export const file = parsedService(text);

/** What has been said of every parameter, where nothing is said of it by whoever deploys. */
export const defaults: Readonly<Record<string, unknown>> = { ...file.params.default, clusters };

export type Completed = PackagedService;

/** The service as it is packaged with these parameters. */
export function completed(parameters: Record<string, string> = {}): Completed {
  return packagedService(text, { ...defaults, ...parameters }, place);
}

export function propertiesOf({ resources }: Completed, name: string): Record<string, unknown> {
  const found = resources.Resources[name];
  if (!found) throw new Error(`${name} is not made`);
  return found.Properties;
}

/** Every name that something refers to, wherever it stands. */
export function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('Ref' in value) return [String(value.Ref)];
  if ('Fn::GetAtt' in value) return [String((value['Fn::GetAtt'] as string[])[0])];
  if ('Fn::Sub' in value) {
    const found = String(value['Fn::Sub']).matchAll(/\$\{([^!}.]+)[^}]*\}/g);
    return [...found].map(([, name = '']) => name);
  }
  return Object.values(value).flatMap(referencesIn);
}
