import fc, { type Arbitrary } from 'fast-check';
import { hostileJson, hostileText } from './hostile-values.ts';

/** What a cluster's API server answers instead of the truth: something of it changed, or nothing that one could use. */
export type Spoiling = { at: number[]; json: string } | { status: number; text: string } | 'right';

export interface Answer {
  status: number;
  text: string;
}

const reasons = ['NotFound', 'AlreadyExists', 'Conflict', 'Expired', '__proto__', ''];
const statuses = [200, 201, 400, 401, 403, 404, 409, 410, 422, 429, 500, 503];

const refusals = fc
  .tuple(fc.constantFrom(...statuses), fc.constantFrom(...reasons), hostileText)
  .map(([status, reason, message]) => ({ status, text: JSON.stringify({ kind: 'Status', reason, message }) }));

const garbage = fc
  .tuple(fc.constantFrom(...statuses), fc.oneof(hostileText, hostileJson, fc.constantFrom('', '404 page not found\n')))
  .map(([status, text]) => ({ status, text }));

/** For the requests in their order, over and over. */
export const spoilings: Arbitrary<Spoiling[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant('right' as const) },
    {
      weight: 6,
      arbitrary: fc.record({ at: fc.array(fc.nat(50), { minLength: 1, maxLength: 5 }), json: hostileJson }),
    },
    { weight: 1, arbitrary: refusals },
    { weight: 1, arbitrary: garbage },
  ),
  { minLength: 1, maxLength: 6 },
);

export function spoiled(
  spoiling: Spoiling | undefined,
  { status, answer }: { status: number; answer: object },
): Answer {
  if (spoiling === undefined || spoiling === 'right') return { status, text: JSON.stringify(answer) };
  if ('text' in spoiling) return spoiling;
  // Within a text, as a value could not say all that JSON can.
  const mark = 'the part that is spoiled';
  const marked = JSON.stringify(replaced(answer, spoiling.at, mark));
  return { status, text: marked.replace(JSON.stringify(mark), () => spoiling.json) };
}

/** One field, however deep; which one is told by numbers, since nobody knows beforehand what there is. */
function replaced(value: unknown, [index, ...deeper]: number[], mark: string): unknown {
  if (index === undefined || typeof value !== 'object' || value === null) return mark;
  const fields = Object.keys(value);
  const field = fields[index % fields.length];
  if (field === undefined) return mark;
  const before = (value as Record<string, unknown>)[field];
  const after = replaced(before, deeper, mark);
  return Array.isArray(value) ? value.with(Number(field), after) : { ...value, [field]: after };
}
