import { maxDepth, tooDeep } from './bounds.ts';

/**
 * The fields of a JSON value that are kept. `true` keeps everything below, `false` nothing; a selection is applied to
 * objects, and to each item of an array. The name '*' is the rule for fields that are not listed: without it they are
 * left out. A value without fields, such as a string or null, is kept wherever there is a selection.
 */
export interface Selection {
  readonly [field: string]: true | false | Selection;
}

type Rule = Selection[string];

/** A field was read that had been left out. Returning undefined would hide the bug. */
export class NotSelected extends Error {
  override name = 'NotSelected';
}

/** Selects from a parsed value. Reading a field of the result that was left out throws an error. */
export function selector(selection: Selection): (value: unknown) => unknown {
  const root = new Selector(selection, '');
  return (value) => root.select(value);
}

export function select(value: unknown, selection: Selection): unknown {
  return selector(selection)(value);
}

/** Keeps everything that either of the two keeps. */
export function mergeSelections(one: Selection, other: Selection): Selection {
  const fields = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...fields].map((field) => [field, merged(ruleFor(one, field), ruleFor(other, field))]));
}

function merged(one: Rule, other: Rule): Rule {
  if (one === true || other === true) return true;
  if (one === false) return other;
  return other === false ? one : mergeSelections(one, other);
}

/** The rule for a field of any name: only the selection's own properties count. */
function ruleFor(selection: Selection, field: string): Rule {
  if (Object.hasOwn(selection, field)) return selection[field] ?? false;
  return Object.hasOwn(selection, '*') ? (selection['*'] ?? false) : false;
}

/** Keeps everything, nothing, or what this selects. */
type Kept = boolean | Selector;

class Selector {
  private readonly listed: Map<string, Kept>;
  private readonly others: Kept;
  private readonly guard: object;

  constructor(selection: Selection, path: string) {
    const kept = (rule: Rule, name: string) =>
      typeof rule === 'object' ? new Selector(rule, `${path}${name}.`) : rule;
    this.others = kept(ruleFor(selection, '*'), '*');
    const names = Object.keys(selection).filter((name) => name !== '*');
    this.listed = new Map(names.map((name) => [name, kept(ruleFor(selection, name), name)]));
    this.guard = this.others === false ? allowing(this.kept(), path) : forbidding(this.leftOut(), path);
  }

  select(value: unknown, depth = 0): unknown {
    if (Array.isArray(value)) {
      // Only nested arrays can be deeper than the selection itself.
      if (depth > maxDepth) throw tooDeep();
      return value.map((item) => this.select(item, depth + 1));
    }
    if (typeof value !== 'object' || value === null) return value;
    const found: Record<string, unknown> = {};
    if (this.others === false) this.pick(value as Record<string, unknown>, found);
    else this.omit(value as Record<string, unknown>, found);
    return Object.setPrototypeOf(found, this.guard);
  }

  private pick(from: Record<string, unknown>, found: Record<string, unknown>): void {
    for (const [name, rule] of this.listed)
      if (rule !== false && Object.hasOwn(from, name)) set(found, name, from, rule);
  }

  private omit(from: Record<string, unknown>, found: Record<string, unknown>): void {
    for (const name of Object.keys(from)) {
      const rule = this.ruleOf(name);
      if (rule !== false) set(found, name, from, rule);
    }
  }

  private kept(): string[] {
    return [...this.listed].filter(([, rule]) => rule !== false).map(([name]) => name);
  }

  private leftOut(): string[] {
    return [...this.listed].filter(([, rule]) => rule === false).map(([name]) => name);
  }

  private ruleOf(name: string): Kept {
    return this.listed.get(name) ?? this.others;
  }
}

function set(found: Record<string, unknown>, name: string, from: Record<string, unknown>, rule: true | Selector): void {
  const value = rule === true ? from[name] : rule.select(from[name]);
  // A field may be named __proto__, which an assignment would take for the prototype.
  if (name !== '__proto__') found[name] = value;
  else Object.defineProperty(found, name, { value, enumerable: true, configurable: true, writable: true });
}

/**
 * Names that the language itself, and code that adds to this set, looks up in any object, beside those that all objects
 * have.
 */
export const askedOfAnything = new Set(['then', 'toJSON']);

/** The prototype of a selected object from which some names were left out. */
function forbidding(names: readonly string[], path: string): object {
  const guard = {};
  for (const name of names) {
    Object.defineProperty(guard, name, {
      get: () => {
        throw notSelected(path, name);
      },
    });
  }
  return guard;
}

/**
 * The prototype of a selected object from which all but some names were left out. It has these itself, so that only a
 * bug reaches the proxy behind it, which is slow.
 */
function allowing(names: readonly string[], path: string): object {
  const strict = new Proxy(Object.prototype, {
    get(target, name, receiver) {
      if (typeof name === 'symbol' || name in target) return Reflect.get(target, name, receiver);
      if (askedOfAnything.has(name)) return undefined;
      throw notSelected(path, name);
    },
  });
  const guard: object = Object.create(strict);
  const value = { value: undefined, writable: true };
  for (const name of names) if (!(name in Object.prototype)) Object.defineProperty(guard, name, value);
  return guard;
}

function notSelected(path: string, name: string): NotSelected {
  return new NotSelected(`${path}${name} was not selected: whoever reads it has to say so`);
}
