import { readdirSync, readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';

/** The rules and conditions of the MutatingAdmissionPolicies in manifests/admission, for the webhook in their place. */

interface Policy {
  kind: string;
  metadata: { name: string };
  spec: {
    failurePolicy: string;
    reinvocationPolicy: string;
    matchConstraints: { resourceRules: { [field: string]: string[] }[] };
    matchConditions: { name: string; expression: string }[];
  };
}

const folder = new URL('../../manifests/admission/', import.meta.url);
const prefix = 'longshore-';
/** As the formatter counts them. */
const width = 120;

export function mutatingPolicies(): string {
  const policies = readdirSync(folder)
    .sort()
    .flatMap((file) => parseAllDocuments(readFileSync(new URL(file, folder), 'utf8')))
    .map((document) => document.toJS() as Policy)
    .filter(({ kind }) => kind === 'MutatingAdmissionPolicy');
  return `// Written by \`npm run generate\` from manifests/admission.

export const mutatingPolicies = {
${policies.map(entryOf).join('')}} as const;

export type PolicyName = keyof typeof mutatingPolicies;

export const policyNames = Object.keys(mutatingPolicies) as PolicyName[];
`;
}

function entryOf({ metadata, spec }: Policy): string {
  const { resourceRules, ...others } = spec.matchConstraints;
  // What is not carried over would be missing from the webhook.
  if (Object.keys(others).length > 0) throw new Error(`${metadata.name}: matchConstraints has more than resourceRules`);
  const rules = resourceRules.map(
    (rule) => `      {
${Object.entries(rule)
  .map(([field, values]) => `        ${field}: [${values.map(quoted).join(', ')}],\n`)
  .join('')}      },\n`,
  );
  return `  ${quoted(metadata.name.slice(prefix.length))}: {
    failurePolicy: ${quoted(spec.failurePolicy)},
    reinvocationPolicy: ${quoted(spec.reinvocationPolicy)},
    rules: [
${rules.join('')}    ],
    matchConditions: [
${spec.matchConditions.map(conditionOf).join('')}    ],
  },
`;
}

function conditionOf({ name, expression }: Policy['spec']['matchConditions'][number]): string {
  const value = quoted(expression.replaceAll(/\s*\n\s*/g, ' '));
  const line = `        expression: ${value},`;
  const expressionLine = line.length <= width ? line : `        expression:\n          ${value},`;
  return `      {\n        name: ${quoted(name)},\n${expressionLine}\n      },\n`;
}

/** In the quotes that need fewer escapes. */
function quoted(text: string): string {
  if (text.includes('\\')) throw new Error(`a backslash is not supported here: ${text}`);
  const doubles = text.split('"').length;
  const singles = text.split("'").length;
  return singles > doubles ? `"${text.replaceAll('"', '\\"')}"` : `'${text.replaceAll("'", "\\'")}'`;
}
