import { closingQuote, step } from './bounds.ts';
import { DamagedJson, parse } from './parse.ts';

/** Takes one item of a list, which is between two positions of its bytes. */
export type TakeItem = (start: number, end: number) => void;

/** The fields of an API server's list beside its items. */
export interface ListHead {
  metadata: { resourceVersion?: string; continue?: string };
  /** True if it has items, or declares that there are none. */
  isList: boolean;
}

const [quote, comma, colon, openList, closeList] = [0x22, 0x2c, 0x3a, 0x5b, 0x5d];
const itemsName = Buffer.from('"items"');

/**
 * Reads a list item by item, so that at most one of them is parsed at a time. Their beginnings and ends are found by
 * quotes and brackets alone; the callers check if they are JSON.
 */
export function readList(bytes: Buffer, take: TakeItem): ListHead {
  const from = startOfItems(bytes);
  const items = from === undefined ? [] : itemsFrom(bytes, from);
  const end = items.at(-1)?.[1] ?? 0;
  const rest = from === undefined ? bytes : Buffer.concat([bytes.subarray(0, from), bytes.subarray(end)]);
  const head = headOf(parse(rest, 0, rest.length));
  if (items.length > 1 || !isBlank(bytes, items[0])) for (const item of items) take(...item);
  return head;
}

type Item = [start: number, end: number];

/** The position after the bracket that opens the list. */
function startOfItems(bytes: Buffer): number | undefined {
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte !== quote) {
      depth += step(byte);
      continue;
    }
    const start = at;
    at = closingQuote(bytes, at, bytes.length);
    if (depth !== 1 || bytes.compare(itemsName, 0, itemsName.length, start, Math.min(at + 1, bytes.length)) !== 0)
      continue;
    const after = pastSpace(bytes, at + 1);
    const value = bytes[after] === colon ? pastSpace(bytes, after + 1) : after;
    if (bytes[value] === openList) return value + 1;
  }
  return undefined;
}

/** The parts between the commas, up to the bracket that closes the list. */
function itemsFrom(bytes: Buffer, from: number): Item[] {
  const items: Item[] = [];
  let depth = 0;
  let start = from;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === quote) at = closingQuote(bytes, at, bytes.length);
    else if (depth === 0 && (byte === comma || byte === closeList)) {
      items.push([start, at]);
      if (byte === closeList) return items;
      start = at + 1;
    } else depth += step(byte);
    if (depth < 0) break;
  }
  throw new DamagedJson();
}

function headOf(rest: unknown): ListHead {
  if (typeof rest !== 'object' || rest === null || Array.isArray(rest)) throw new DamagedJson();
  const { items, metadata } = rest as { items?: unknown; metadata?: Record<string, unknown> | null };
  // Items that were not found above, because their name is spelled with escapes, or occurs twice.
  if (Array.isArray(items) && items.length > 0) throw new DamagedJson();
  const { resourceVersion, continue: next } = metadata ?? {};
  return {
    metadata: {
      ...(typeof resourceVersion === 'string' ? { resourceVersion } : {}),
      ...(typeof next === 'string' ? { continue: next } : {}),
    },
    // An empty list of metadata has null instead of items.
    isList: items === null || Array.isArray(items),
  };
}

function isBlank(bytes: Buffer, item: Item | undefined): boolean {
  return item === undefined || pastSpace(bytes, item[0]) >= item[1];
}

function pastSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at += 1;
  return at;
}
