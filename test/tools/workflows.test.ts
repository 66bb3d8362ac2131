import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

interface Step {
  uses?: string;
  run?: string;
}
interface Workflow {
  permissions: unknown;
  jobs: Record<string, { 'timeout-minutes': number; steps: Step[] }>;
}

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const folder = '.github/workflows/';
const workflows = readdirSync(new URL(folder, root)).map((name): [string, Workflow] => [
  name,
  parse(read(`${folder}${name}`)),
]);
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps }) => steps);
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

describe.each(workflows)('%s', (_, workflow) => {
  test('runs actions of exact commits, with few rights and not for ever', () => {
    const uses = stepsOf(workflow).flatMap(({ uses: action }) => action ?? []);
    expect(uses.filter((action) => !/^actions\/[a-z-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(workflow.jobs)) expect(job['timeout-minutes']).toBeGreaterThan(0);
  });

  test('runs scripts that there are', () => {
    const runs = stepsOf(workflow).flatMap(({ run }) => run ?? []);
    const named = runs.flatMap((run) => [...run.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name));
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

test('each project of the gate is in exactly one job of ci.yml', () => {
  const ci = workflows.find(([name]) => name === 'ci.yml')?.[1] as Workflow;
  const runs = stepsOf(ci).flatMap(({ run }) => run ?? []);
  const selected = runs.flatMap((run) => /--selectProjects ([a-z ]+)/.exec(run)?.[1]?.trim().split(' ') ?? []);
  const projects = [...read('jest.config.js').matchAll(/displayName: '(\w+)'/g)].map(([, name]) => name);
  expect(selected.sort()).toEqual(projects.sort());
});
