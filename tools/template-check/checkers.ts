import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pythonWith } from '../python/environment.ts';

const run = promisify(execFile);

export const requirementsPath = fileURLToPath(new URL('./requirements.txt', import.meta.url));

/** A checker's finding about a template. */
export interface Finding {
  readonly template: string;
  /** Such as W3005 of cfn-lint, or CKV_AWS_18 of checkov. */
  readonly check: string;
  readonly resource: string;
  readonly message: string;
}

export interface Checkers {
  /** Reports invalid templates: unknown properties, impossible values, circular dependencies. */
  lint(paths: readonly string[]): Promise<Finding[]>;
  /** Reports insecure settings. */
  audit(paths: readonly string[]): Promise<Finding[]>;
}

/** Installs cfn-lint and checkov into the cache folder, unless they are there. */
export async function checkers(progress: (line: string) => void): Promise<Checkers> {
  const name = 'cfn-lint and checkov';
  const python = await pythonWith({ name, path: requirementsPath, folder: 'template-check', seconds: 40 }, progress);
  const program = (each: string) => join(dirname(python), each);
  return {
    lint: async (paths) => lintFindings(await output(program('cfn-lint'), ['--format', 'json', '--', ...paths])),
    audit: async (paths) => auditFindings(await output(program('checkov'), auditing(paths))),
  };
}

function auditing(paths: readonly string[]): string[] {
  // Without the first one it downloads descriptions of the checks from its vendor's server.
  const options = ['--skip-download', '--framework', 'cloudformation', '--output', 'json', '--quiet', '--compact'];
  return [...options, ...paths.flatMap((path) => ['--file', path])];
}

const timeoutMs = 5 * 60_000;
const maxBytes = 64 * 1024 * 1024;

/** Both exit with an error code after findings, and print them all the same. */
async function output(command: string, args: readonly string[]): Promise<string> {
  try {
    return (await run(command, args, { timeout: timeoutMs, maxBuffer: maxBytes })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    if (stdout) return stdout;
    throw new Error(`${command} could not be run: ${stderr || error}`);
  }
}

interface LintMatch {
  Filename: string;
  Message: string;
  Rule: { Id: string };
  Location: { Path?: (string | number)[] | null };
}

export function lintFindings(text: string): Finding[] {
  const matches = (text.trim() === '' ? [] : JSON.parse(text)) as LintMatch[];
  return matches.map(({ Filename, Message, Rule, Location }) => ({
    template: Filename,
    check: Rule.Id,
    resource: Location.Path?.[0] === 'Resources' ? String(Location.Path[1]) : '',
    message: Message,
  }));
}

interface AuditReport {
  results: { failed_checks: { check_id: string; check_name: string; resource: string; file_abs_path: string }[] };
  summary: { passed: number; parsing_errors: number };
}

export function auditFindings(text: string): Finding[] {
  const reports = [JSON.parse(text)].flat() as Partial<AuditReport>[];
  return reports.flatMap(({ results, summary }) => {
    // For a template that it cannot parse, it reports no findings.
    if (!results || !summary || summary.parsing_errors > 0 || summary.passed === 0) {
      throw new Error(`checkov could not read a template: ${text.slice(0, 500)}`);
    }
    return results.failed_checks.map((failed) => ({
      template: failed.file_abs_path,
      check: failed.check_id,
      // AWS::SQS::Queue.MatchTransferQueue
      resource: failed.resource.slice(failed.resource.lastIndexOf('.') + 1),
      message: failed.check_name,
    }));
  });
}
