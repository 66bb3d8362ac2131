import fc, { type Arbitrary } from 'fast-check';
import { anyCharacter } from '../support/any-character.ts';
import { type Target, targets } from './fixtures.ts';
import { enormousJson, hostileJson, hostileText, legalName } from './hostile-values.ts';
import { clusterNames } from './surroundings.ts';

/** A message as texts of JSON by their fields, in the order in which they are written: a field may be there twice. */
export type Fields = readonly (readonly [field: string, json: string])[];

/** The bodies of messages for one function: right ones, and all that somebody could put on its queue instead. */
export function bodiesFor(functionName: string): Arbitrary<string> {
  const own = targets[functionName];
  if (!own) throw new Error(`no messages are for ${functionName}`);
  const right = fieldsOf(own);
  const others = Object.values(targets).filter((each) => each !== own);
  return fc.oneof(
    { weight: 16, arbitrary: fc.constantFrom(...clusterNames).map((name) => write(from(right, name))) },
    { weight: 6, arbitrary: harmless(right).map(write) },
    { weight: 6, arbitrary: absent(own).map(write) },
    { weight: 24, arbitrary: spoiled(right, hostileJson).map(write) },
    { weight: 10, arbitrary: fc.constantFrom(...others).map((other) => write(fieldsOf(other))) },
    {
      weight: 8,
      arbitrary: fc
        .tuple(fc.constantFrom(...others), fc.constantFrom(...mixed))
        .map(([other, taken]) => write(mix(right, fieldsOf(other), taken))),
    },
    { weight: 8, arbitrary: hostileText.map((name) => write(from(right, name))) },
    { weight: 10, arbitrary: garbled(write(right)) },
    { weight: 8, arbitrary: fc.oneof(hostileText, hostileJson, fc.string({ unit: anyCharacter, maxLength: 200 })) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', ' ', 'null', '[]', '{}', '"', '\ufeff{}', '[null]', '{"specversion":"1.0"}'),
    },
  );
}

/** One in some thousand: such a body alone takes as long as a hundred others. */
export function enormousBodiesFor(functionName: string): Arbitrary<string> {
  const own = targets[functionName];
  const right = own ? fieldsOf(own) : [];
  return fc.oneof(enormousJson, spoiled(right, enormousJson).map(write));
}

/** Fields that decide what a message is about, which may be another function's. */
const mixed = [['kind'], ['apiversion'], ['kind', 'apiversion'], ['name'], ['namespace'], ['namespace', 'name']];

export function fieldsOf({ resource, namespace, name }: Target): Fields {
  const { apiVersion, kind } = resource;
  const values = {
    specversion: '1.0',
    id: 'id',
    source: 'main',
    type: 'dev.knative.apiserver.ref.update',
    subject: '/elsewhere',
    time: '2026-11-19T04:00:00.000Z',
    apiversion: apiVersion,
    kind,
    ...(namespace ? { namespace } : {}),
    name,
    messageversion: 1,
    traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`,
    datacontenttype: 'application/json',
    data: { apiVersion, kind, namespace, name },
  };
  return Object.entries(values).map(([field, value]) => [field, JSON.stringify(value)]);
}

export function write(fields: Fields): string {
  return `{${fields.map(([field, json]) => `${JSON.stringify(field)}:${json}`).join(',')}}`;
}

function from(fields: Fields, cluster: string): Fields {
  return fields.map(([field, json]) => [field, field === 'source' ? JSON.stringify(cluster) : json]);
}

function mix(right: Fields, other: Fields, taken: readonly string[]): Fields {
  const theirs = other.filter(([field]) => taken.includes(field));
  return [...right.filter(([field]) => !taken.includes(field)), ...theirs];
}

/** What a message may say in whichever way, since nobody relies on it. */
function harmless(right: Fields): Arbitrary<Fields> {
  const field = fc.constantFrom(
    'id',
    'subject',
    'time',
    'traceparent',
    'datacontenttype',
    'data',
    'runid',
    '__proto__',
    'x',
  );
  return fc.array(fc.tuple(field, hostileJson), { minLength: 1, maxLength: 3 }).map((added) => [...right, ...added]);
}

/** Whatever it names is not there. */
function absent({ namespace, ...own }: Target): Arbitrary<Fields> {
  return fc.tuple(legalName, legalName).map(([name, place]) => {
    return fieldsOf({ ...own, name, ...(namespace === undefined ? {} : { namespace: place.slice(0, 63) }) });
  });
}

/** Some fields are something else, left out, or there twice. */
export function spoiled(right: Fields, values: Arbitrary<string>): Arbitrary<Fields> {
  const change = fc.tuple(fc.nat(right.length - 1), fc.constantFrom('replace', 'remove', 'before', 'after'), values);
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => changes.reduce(spoil, right));
}

function spoil(fields: Fields, [index, how, json]: [number, string, string]): Fields {
  const found = fields[index % fields.length];
  if (!found) return fields;
  const [field] = found;
  const at = fields.indexOf(found);
  const also = [field, json] as const;
  if (how === 'remove') return fields.toSpliced(at, 1);
  if (how === 'replace') return fields.toSpliced(at, 1, also);
  return how === 'before' ? [also, ...fields] : [...fields, also];
}

/** Cut off, or with something put in, or with something taken out. */
export function garbled(text: string): Arbitrary<string> {
  const place = fc.nat(text.length);
  return fc.oneof(
    place.map((at) => text.slice(0, at)),
    place.map((at) => text.slice(at)),
    fc.tuple(place, hostileText).map(([at, put]) => text.slice(0, at) + put + text.slice(at)),
    fc.tuple(place, fc.nat(20)).map(([at, length]) => text.slice(0, at) + text.slice(at + length)),
  );
}
