import type { Service } from './service.ts';

/** The limit of AWS Lambda for a function's variables: names and values, as JSON. */
const maxBytes = 4_096;
/** The length of an ARN, or of a queue's URL, with the longest names of stage, function and region. */
const arnOfMaxLength = 'x'.repeat(140);
/** The length of a region, or of an account id. */
const regionOfMaxLength = 'x'.repeat(14);

/** Fails before anything is changed, instead of during a deployment. */
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
  // As in JSON: quotes, a colon, and escapes.
  return Buffer.byteLength(JSON.stringify(variable)) + Buffer.byteLength(JSON.stringify(textOf(value))) + 2;
}

/** A string about as long as the value that CloudFormation resolves it to. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (!('Fn::Sub' in value)) return arnOfMaxLength;
  return String(value['Fn::Sub']).replaceAll(/\$\{([^}]+)\}/g, (_, name: string) =>
    /^AWS::/.test(name) ? regionOfMaxLength : arnOfMaxLength,
  );
}
