import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { errorText } from '../../lib/runtime/error-text.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A context, a cluster or a user, and the folder to which its paths are relative. */
export interface Entry {
  fields: Fields;
  folder: string;
}

export interface Kubeconfig {
  currentContext?: string | undefined;
  contexts: ReadonlyMap<string, Entry>;
  clusters: ReadonlyMap<string, Entry>;
  users: ReadonlyMap<string, Entry>;
}

/** Reads several as one, as kubectl does: of entries with the same name the first one counts. */
export async function readKubeconfigs(paths: readonly string[]): Promise<Kubeconfig> {
  const all = await Promise.all(paths.map(readKubeconfig));
  const merged = (part: 'contexts' | 'clusters' | 'users') => firstOfEach(all.flatMap((each) => [...each[part]]));
  return {
    currentContext: all.find(({ currentContext }) => currentContext)?.currentContext,
    contexts: merged('contexts'),
    clusters: merged('clusters'),
    users: merged('users'),
  };
}

async function readKubeconfig(path: string): Promise<Kubeconfig> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`the kubeconfig ${path} cannot be read: ${errorText(error)}`, { cause: error });
  });
  const fields = fieldsOf(path, text);
  const folder = dirname(resolve(path));
  const current = fields['current-context'];
  return {
    currentContext: typeof current === 'string' && current !== '' ? current : undefined,
    contexts: entriesOf(path, fields.contexts, 'context', folder),
    clusters: entriesOf(path, fields.clusters, 'cluster', folder),
    users: entriesOf(path, fields.users, 'user', folder),
  };
}

/** What is wrong is told by its line alone, as the text may be a secret. */
function fieldsOf(path: string, text: string): Fields {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { prettyErrors: false, lineCounter });
  const [error] = document.errors;
  if (error) {
    throw refuse(path, `line ${lineCounter.linePos(error.pos[0]).line} is neither valid YAML nor JSON`);
  }
  const parsed: unknown = toJs(path, () => document.toJS());
  if (parsed === null || parsed === undefined) return {};
  if (typeof parsed !== 'object' || Array.isArray(parsed)) throw refuse(path, 'it is not an object');
  return parsed as Fields;
}

/** Aliases are resolved only now, and too many of them are an error. */
function toJs(path: string, convert: () => unknown): unknown {
  try {
    return convert();
  } catch {
    throw refuse(path, 'its YAML has aliases that cannot be resolved');
  }
}

function entriesOf(path: string, list: unknown, part: string, folder: string): Map<string, Entry> {
  if (list === null || list === undefined) return new Map();
  if (!Array.isArray(list)) throw refuse(path, `${part}s is not a list`);
  return firstOfEach(list.map((each: unknown) => entryOf(path, each, part, folder)));
}

function firstOfEach(entries: readonly [string, Entry][]): Map<string, Entry> {
  const first = new Map<string, Entry>();
  for (const [name, entry] of entries) if (!first.has(name)) first.set(name, entry);
  return first;
}

function entryOf(path: string, given: unknown, part: string, folder: string): [string, Entry] {
  const { name, [part]: fields } = isFields(given) ? given : {};
  if (typeof name !== 'string') throw refuse(path, `one of its ${part}s has no name`);
  return [name, { fields: isFields(fields) ? fields : {}, folder }];
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuse(path: string, problem: string): Error {
  return new Error(`the kubeconfig ${path} cannot be used: ${problem}`);
}
