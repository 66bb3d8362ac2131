import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkers, type Finding } from './checkers.ts';
import { type Exception, exceptions } from './exceptions.ts';
import { withPackaged } from './packaged.ts';

const handMade = fileURLToPath(new URL('../../deployment', import.meta.url));

export interface Verdict {
  /** What nothing excuses. */
  readonly findings: Finding[];
  /** Exceptions that nothing needs any more. */
  readonly unneeded: Exception[];
}

/**
 * Looks over what `serverless package` makes, by default and with all that makes it safer, and what is in deployment/.
 * `isAudited`: whether by checkov as well, which takes a minute.
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

/** Checkov calls its checks so. */
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
