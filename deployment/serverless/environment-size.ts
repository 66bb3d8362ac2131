import type { Service } from './service.ts';

/** AWS Lambda takes no more for a function: its variables' names and values, as JSON. */
const maxBytes = 4_096;
/** An ARN, or the address of a queue, as long as the longest names of stage, function and region make it. */
const address = 'x'.repeat(140);
/** A region, or the number of an account. */
const place = 'x'.repeat(14);

/** Says so before anything is changed, instead of in the middle of a deployment. */
export function refuseTooManyVariables({ provider, functions }: Service): void {
  for (const [name, { environment }] of Object.entries(functions)) {
    const variables = { ...provider.environment, ...environment };
    const sizes = Object.entries(variables).map(([variable, value]) => ({ variable, bytes: bytesOf(variable, value) }));
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    if (total <= maxBytes) continue;
    const largest = sizes.sort((a, b) => b.bytes - a.bytes).slice(0, 3);
    throw new Error(
      `nothing was changed: the variables of ${name} take about ${total} bytes, but Lambda allows ${maxBytes}: ` +
        `shorten the parameters that the largest come from (${largest.map(({ variable, bytes }) => `${variable} ${bytes}`).join(', ')}), ` +
        'or serve some of the clusters with a separate deployment',
    );
  }
}

function bytesOf(variable: string, value: unknown): number {
  // As in JSON: quotes, a colon, and what has to be escaped.
  return Buffer.byteLength(JSON.stringify(variable)) + Buffer.byteLength(JSON.stringify(textOf(value))) + 2;
}

/** What CloudFormation makes of it, in about that length. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (!('Fn::Sub' in value)) return address;
  return String(value['Fn::Sub']).replaceAll(/\$\{([^}]+)\}/g, (_, name: string) =>
    /^AWS::/.test(name) ? place : address,
  );
}
