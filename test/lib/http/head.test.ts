import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Body } from '../../../lib/http/body.ts';
import { field } from '../../../lib/http/head.ts';
import { HeadReader } from '../../../lib/http/head-reader.ts';

const kilobytes = 1024;

describe('the head of an answer', () => {
  test('is read wherever it is cut, and with what comes before it', () => {
    const text =
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length:  5 \r\nConnection: close\r\n\r\n12345';
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 8 }), (cuts) => {
        const places = [0, ...cuts, text.length].sort((one, other) => one - other);
        const reader = new HeadReader();
        let found: ReturnType<HeadReader['push']>;
        let read = 0;
        for (const [index, place] of places.slice(1).entries()) {
          if (found) break;
          found = reader.push(Buffer.from(text.slice(places[index] ?? 0, place)));
          read = place;
        }
        expect(found?.head).toMatchObject({ status: 200, length: 5, isKept: false });
        expect(found?.bytes.toString()).toBe(text.slice(0, read));
      }),
    );
  });

  test('names its fields in letters of any size, at the beginning of a line, and with blanks around their values', () => {
    const head = 'HTTP/1.1 200 OK\r\nX-Content-Length: 1\r\ncontent-LENGTH:\t 7 \t\r\nEmpty:\r\nlast: yes';
    expect(field(head, 'content-length')).toBe('7');
    expect(['empty', 'last', 'none'].map((name) => field(head, name))).toEqual(['', 'yes', '']);
  });

  test('is searched in steps that are no more than its bytes, however many blanks there are', () => {
    const blanks = ' '.repeat(60 * kilobytes);
    // Where each blank is searched from once more, each of these takes seconds.
    const heads = Array.from({ length: 500 }, () => `HTTP/1.1 200 OK\r\ncontent-length:${blanks}x${blanks}y\r\n`);
    for (const head of heads) expect(field(head, 'content-length').endsWith('y')).toBe(true);
  });

  test('that only announces another one is given up', () => {
    const announced = Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'.repeat(11));
    expect(() => new HeadReader().push(announced)).toThrow('only interim responses');
  });

  test('that does not end is given up', () => {
    const reader = new HeadReader();
    reader.push(Buffer.from('HTTP/1.1 200 OK\r\n'));
    const more = Buffer.from(`a: ${'x'.repeat(kilobytes)}\r\n`);
    const go = () => {
      for (;;) reader.push(more);
    };
    expect(go).toThrow('no status line');
  });
});

describe('around the pieces of a body', () => {
  test.each([
    ['what follows a length', '5;x='],
    ['headers behind the body', '0\r\na: '],
    ['carriage returns', '5\r'],
  ])('%s without end are given up', (_, beginning) => {
    const body = new Body({ length: 'chunked' });
    const more = Buffer.from((beginning.endsWith('\r') ? '\r' : 'x').repeat(kilobytes));
    body.push(Buffer.from(beginning), 0, beginning.length, () => {});
    const go = () => {
      for (;;) body.push(more, 0, more.length, () => {});
    };
    expect(go).toThrow('more chunk framing than content');
  });
});
