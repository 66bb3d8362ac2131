import { comment } from './comment.ts';
import type { Definition, Schema } from './definitions.ts';

/** TypeScript for the kinds that manifests/crds defines: as strict as the API server, which accepts nothing else. */

const width = 120;

/**
 * One file of types, which adds them to the interface `Shapes`. `kubernetes` is the path from there to lib/kubernetes.
 */
export function typesOf(definitions: readonly Definition[], kubernetes: string): string {
  const interfaces = definitions.map(interfaceOf);
  const shapes = definitions.map(({ part }) => `    ${part}: ${typeName(part)};\n`);
  const body = `declare module '${kubernetes}/kinds.ts' {
  interface Shapes {
${shapes.join('')}  }
}

${interfaces.join('\n')}`;
  return `// Written by \`npm run generate\` from manifests/crds.

${imports(body, kubernetes)}
${body}`;
}

function imports(body: string, kubernetes: string): string {
  const used = (...names: string[]) => names.filter((name) => new RegExp(`\\b${name}\\b`).test(body)).join(', ');
  const line = (names: string, file: string) =>
    names ? `import type { ${names} } from '${kubernetes}/${file}';\n` : '';
  const brands = used('Name', 'NamespaceName', 'ResourceVersion', 'Uid');
  return `${line(brands, 'brands.ts')}${line(used('ClusterObject', 'Condition'), 'cluster-object.ts')}`;
}

/** `TransferRequest`, for the part `transferRequest`. */
function typeName(part = ''): string {
  return `${part.charAt(0).toUpperCase()}${part.slice(1)}`;
}

function interfaceOf({ part, kind, schema }: Definition): string {
  const { apiVersion, kind: _, metadata, ...properties } = schema.properties ?? {};
  const fields = fieldsOf({ ...schema, properties }, '  ');
  return `${documentation(schema, '')}export interface ${typeName(part)} extends ClusterObject {
  kind: '${kind}';
${fields}}
`;
}

function fieldsOf(schema: Schema, indent: string): string {
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => !isRejected(schema, name));
  const optional = (name: string) => (schema.required?.includes(name) ? '' : '?');
  return fields
    .map(([name, field]) => {
      const type = typeOf(name, field, indent);
      return `${documentation(field, indent)}${indent}${name}${optional(name)}: ${type};\n`;
    })
    .join('');
}

/** A field that only exists for its error message, which names the field to set instead. */
function isRejected(schema: Schema, name: string): boolean {
  return schema['x-kubernetes-validations']?.some(({ rule }) => rule === `!has(self.${name})`) === true;
}

function typeOf(name: string, schema: Schema, indent: string): string {
  if (name === 'conditions') return 'Condition[]';
  switch (schema.type) {
    case 'string':
      return schema.enum?.map((value) => `'${value}'`).join(' | ') ?? brandOf(name);
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array': {
      const item = typeOf('', schema.items ?? { type: 'object' }, indent);
      return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
    }
    case 'object':
      if (schema.properties) return `{\n${fieldsOf(schema, `${indent}  `)}${indent}}`;
      return schema.additionalProperties
        ? `Record<string, ${typeOf('', schema.additionalProperties, indent)}>`
        : 'Record<string, unknown>';
  }
  throw new Error(
    `a field ${name} of type ${schema.type} has no type in TypeScript yet: see tools/generate/crd-types.ts`,
  );
}

/** By the Kubernetes conventions for field names. */
function brandOf(name: string): string {
  if (/^namespace$|Namespace$/.test(name)) return 'NamespaceName';
  if (/^name$|Name$/.test(name)) return 'Name';
  if (name === 'uid' || name === 'uuid') return 'Uid';
  return name === 'resourceVersion' ? 'ResourceVersion' : 'string';
}

function documentation({ description }: Schema, indent: string): string {
  if (!description) return '';
  const text = description.replaceAll('*/', '* /');
  const line = `${indent}/** ${text} */`;
  if (line.length <= width) return `${line}\n`;
  return `${indent}/**\n${comment(text, `${indent} * `)}\n${indent} */\n`;
}
