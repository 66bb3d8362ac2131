import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkers, type Finding } from './checkers.ts';
import { type Exception, exceptions } from './exceptions.ts';
import { withPackaged } from './packaged.ts';

const handMade = fileURLToPath(new URL('../../deployment', import.meta.url));

export interface Verdict {
  /** The findings without an exception. */
  readonly findings: Finding[];
  /** Exceptions that are no longer needed. */
  readonly unneeded: Exception[];
}

/**
 * Checks the templates of `serverless package`, with the defaults and with all security parameters, and those in
 * deployment/. `isAudited`: also with checkov, which takes a minute.
 */
export async function checkTemplates(progress: (line: string) => void, isAudited = true): Promise<Verdict> {
  const { lint, audit } = await checkers(progress);
  return withPackaged(async (packaged) => {
    const templates = [...packaged, ...(await templatesIn(handMade))];
    progress(`Looking over ${templates.map(nameOf).join(', ')}`);
    const found = [...(await lint(templates)), ...(isAudited ? await audit(templates) : [])];
    return judge(
      found.map((finding) => ({ ...finding, template: nameOf(finding.template) })),
      exceptions.filter((exception) => isAudited || !isOfAudit(exception)),
    );
  });
}

async function templatesIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yml'));
  return names.map((name) => join(folder, name));
}

/** The prefix of checkov's checks. */
const isOfAudit = ({ check }: Exception) => check.startsWith('CKV');

const nameOf = (path: string) => basename(path).replace(/\.(json|yml)$/, '');

export function judge(found: readonly Finding[], all: readonly Exception[]): Verdict {
  const needed = new Set<Exception>();
  const findings = found.filter((finding) => {
    const excuse = all.find((exception) => excuses(exception, finding));
    if (excuse) needed.add(excuse);
    return excuse === undefined;
  });
  return { findings, unneeded: all.filter((exception) => !needed.has(exception)) };
}

function excuses({ check, resources, templates }: Exception, finding: Finding): boolean {
  if (check !== finding.check || !resources.test(finding.resource)) return false;
  return templates === undefined || templates.includes(finding.template);
}
