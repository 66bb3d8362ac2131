/**
 * Which fields of a JSON value are kept. `true` keeps everything below, `false` nothing; a selection looks into objects,
 * and into each item of an array. The name '*' says what holds for fields that are not listed: they are left out without
 * it. What has no fields, such as a text or null, is kept wherever a selection is.
 */
export interface Selection {
  readonly [field: string]: true | false | Selection;
}

type Rule = Selection[string];

/** What holds for a field, whatever it is called: only what the selection itself lists counts. */
export function ruleFor(selection: Selection, field: string): Rule {
  if (Object.hasOwn(selection, field)) return selection[field] ?? false;
  return Object.hasOwn(selection, '*') ? (selection['*'] ?? false) : false;
}

/** What is selected from a value that has been parsed. */
export function select(value: unknown, selection: Selection): unknown {
  if (Array.isArray(value)) return value.map((item) => select(item, selection));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).flatMap(([field, inner]): [string, unknown][] => {
    const rule = ruleFor(selection, field);
    if (rule === false) return [];
    return [[field, rule === true ? inner : select(inner, rule)]];
  });
  // A field may be called __proto__, which an assignment would take for the prototype.
  return Object.fromEntries(kept);
}

/** Keeps whatever one of the two keeps. */
export function mergeSelections(one: Selection, other: Selection): Selection {
  const fields = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...fields].map((field) => [field, merged(ruleFor(one, field), ruleFor(other, field))]));
}

function merged(one: Rule, other: Rule): Rule {
  if (one === true || other === true) return true;
  if (one === false) return other;
  return other === false ? one : mergeSelections(one, other);
}
