import type { Flow, Parameters } from './driver.ts';

/** The rule for one parameter of a class. */
export interface ParameterRule {
  /** The problem of a value, as the end of a sentence that begins with the parameter's name. */
  problem?: (value: string) => string | undefined;
  /** The only flow in which it is allowed; both if undefined. */
  only?: Flow;
}

export type ParameterRules = Readonly<Record<string, ParameterRule>>;

/** Checks each parameter by itself: known, allowed in this flow, and well formed. */
export function parameterProblems(rules: ParameterRules, parameters: Parameters, flow: Flow): string[] {
  return Object.entries(parameters).flatMap(([name, value]) => {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (!rule) return [unknown(name, Object.keys(rules))];
    if (rule.only && rule.only !== flow) {
      return [`The parameter ${name} is only for new buckets: leave out either this parameter or bucketIdentifier`];
    }
    const problem = rule.problem?.(value);
    return problem ? [`The parameter ${name} ${problem}`] : [];
  });
}

function unknown(name: string, known: string[]): string {
  const [nearest] = known
    .map((each) => ({ each, changes: distance(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ changes }) => changes <= 3)
    .sort((one, other) => one.changes - other.changes);
  const advice = nearest ? `did you mean ${nearest.each}?` : `known parameters are ${known.join(', ')}`;
  return `Unknown parameter ${JSON.stringify(name)}: ${advice}`;
}

/** The Levenshtein distance. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

export function oneOf(...values: string[]): ParameterRule {
  const list = values.map((value) => JSON.stringify(value)).join(' or ');
  return {
    problem: (value) => (values.includes(value) ? undefined : `is ${JSON.stringify(value)}: it must be ${list}`),
  };
}

/** `example` must match. */
export function matching(pattern: RegExp, example: string): ParameterRule {
  return {
    problem: (value) =>
      pattern.test(value) ? undefined : `is ${JSON.stringify(value)}: it must look like ${JSON.stringify(example)}`,
  };
}

/** The parameters for new buckets; refused otherwise. */
export const greenfieldParameters = ['versioning', 'expireDays', 'forceEmpty', 'encryption'];

export function onlyGreenfield(rule: ParameterRule): ParameterRule {
  return { ...rule, only: 'Greenfield' };
}
