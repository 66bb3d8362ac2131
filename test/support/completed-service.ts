import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { completeService } from '../../deployment/serverless/complete-service.ts';
import { readParameters } from '../../deployment/serverless/parameters.ts';
import type { FunctionBlock, Resources, Service } from '../../deployment/serverless/service.ts';

export const stage = 'production';
export const place = { stage, region: 'eu-central-1' };
export const clusters = clustersNamed('main');

export function clustersNamed(...names: string[]): string {
  const from = `secretsmanager:longshore/${stage}/clusters/main/{function}`;
  return JSON.stringify(names.map((name) => ({ name, access: { type: 'kubeconfig', from } })));
}

const text = await readFile(new URL('../../serverless.yml', import.meta.url), 'utf8');
const customTags = [
  { tag: '!Ref', resolve: (value: string) => ({ Ref: value }) },
  { tag: '!Sub', resolve: (value: string) => ({ 'Fn::Sub': value }) },
  { tag: '!GetAtt', resolve: (value: string) => ({ 'Fn::GetAtt': value.split('.') }) },
];

interface File extends Service {
  readonly params: { readonly default: Record<string, string | number> };
  readonly provider: Service['provider'] & { readonly environment: Record<string, unknown> };
  readonly custom: Service['custom'] & { readonly identity: string };
}

/** What serverless.yml says, before its variables are resolved. */
export const file: File = parse(text, { merge: true, customTags });

/** What has been said of every parameter, where nothing is said of it by whoever deploys. */
export const defaults: Readonly<Record<string, unknown>> = { ...file.params.default, clusters };

export interface Completed {
  functions: Record<string, FunctionBlock & { role: unknown; environment: Record<string, unknown> }>;
  provider: Service['provider'];
  resources: Resources;
}

/** The service as it is packaged with these parameters, made in this process: the variables of serverless.yml are few. */
export function completed(parameters: Record<string, string> = {}): Completed {
  const texts = { ...defaults, ...parameters };
  const resolve = (value: string): string =>
    value
      .replaceAll(/\$\{param:([a-z-]+)\}/g, (_, name: string) => String(texts[name]))
      .replaceAll(`\${self:custom.identity}`, () => resolve(file.custom.identity))
      .replaceAll(`\${self:service}`, file.service)
      .replaceAll(`\${sls:stage}`, stage);
  const resolved = parse(text, {
    merge: true,
    customTags,
    reviver: (_: unknown, value: unknown) => (typeof value === 'string' ? resolve(value) : value),
  });
  completeService(resolved, readParameters(texts, place), stage);
  return resolved;
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
