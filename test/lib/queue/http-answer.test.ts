import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { field } from '../../../lib/http/head.ts';
import { AnswerReader, type HttpAnswer } from '../../../lib/queue/sqs/http-answer.ts';

const body = '{"Successful":[{"Id":"0"}],"note":"Ünïcode ✓"}';
const bytes = Buffer.byteLength(body);
const pieces = (sizes: number[]) => {
  const whole = Buffer.from(body);
  const cuts = [0, ...sizes.map((size) => Math.min(size, bytes)), bytes].sort((one, other) => one - other);
  const parts = cuts.slice(1).map((cut, index) => whole.subarray(cuts[index], cut));
  const chunks = parts
    .filter(({ length }) => length > 0)
    .map((part) => Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]));
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
};
const withLength = (head = '') => Buffer.from(`HTTP/1.1 200 OK\r\n${head}Content-Length: ${bytes}\r\n\r\n${body}`);
const chunked = (sizes: number[]) =>
  Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'), pieces(sizes)]);

/** What comes out when these bytes come in pieces that end at these places. */
function read(answer: Buffer, cuts: number[]): HttpAnswer | undefined {
  const reader = new AnswerReader();
  const places = [0, ...cuts.map((cut) => cut % answer.length), answer.length].sort((one, other) => one - other);
  let found: HttpAnswer | undefined;
  for (const [index, place] of places.slice(1).entries()) {
    const chunk = answer.subarray(places[index], place);
    if (chunk.length > 0) found = reader.push(chunk);
  }
  return found ?? reader.end();
}

const cuts = fc.array(fc.nat(1_000), { maxLength: 8 });

test('an answer is the same in whatever pieces it comes', () => {
  fc.assert(
    fc.property(cuts, fc.array(fc.nat(80), { maxLength: 4 }), (places, sizes) => {
      for (const answer of [withLength(), chunked(sizes), Buffer.from(`HTTP/1.1 200 OK\r\n\r\n${body}`)]) {
        expect(read(answer, places)).toMatchObject({ status: 200, body });
      }
    }),
  );
});

test('an announcement that the answer comes later is no answer', () => {
  const announced = Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'), withLength()]);
  expect(read(announced, [7, 26])).toMatchObject({ status: 200, body });
});

test.each([
  ['HTTP/1.1 with a length', withLength(), true],
  ['HTTP/1.1 in pieces', chunked([3]), true],
  ['the word close', withLength('Connection: close\r\n'), false],
  ['HTTP/1.0', Buffer.from(`HTTP/1.0 200 OK\r\nContent-Length: ${bytes}\r\n\r\n${body}`), false],
  ['no length', Buffer.from(`HTTP/1.1 200 OK\r\n\r\n${body}`), false],
  ['more than the answer', Buffer.concat([withLength(), Buffer.from('HTTP/1.1 200')]), false],
  ['more than the pieces', Buffer.concat([chunked([]), Buffer.from('x')]), false],
])('after an answer with %s, whether the connection is used again: %p %p', (_, answer, isKept) => {
  expect(read(answer, [])).toMatchObject({ body, isKept });
});

test('an answer without a body ends with its head', () => {
  expect(read(Buffer.from('HTTP/1.1 204 No Content\r\n\r\n'), [3])).toMatchObject({ status: 204, body: '' });
});

test('half an answer is none', () => {
  for (const answer of [withLength(), chunked([5])]) {
    for (let length = 1; length < answer.length; length += 1) {
      expect(read(answer.subarray(0, length), [])).toBeUndefined();
    }
  }
});

test.each([
  'SSH-2.0-OpenSSH_9.2\r\n\r\n',
  'HTTP/2 200\r\n\r\n',
  'HTTP/1.1 20\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 1e3\r\n\r\n',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffff\r\n',
])('what is no answer of HTTP/1.1 is an error: %j', (answer) => {
  expect(() => read(Buffer.from(answer), [])).toThrow(/response|HTTP\/1\.1/);
});

test('an answer without an end is given up before it fills the memory', () => {
  const reader = new AnswerReader();
  const endless = () => {
    reader.push(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'));
    for (let index = 0; index < 2_000; index += 1) reader.push(Buffer.alloc(1_024, 'a'));
  };
  expect(endless).toThrow('longer than any response');
});

test('a header is found whatever the case of its name, and only as a whole line', () => {
  const head = 'HTTP/1.1 400 Bad Request\r\nX-Amzn-ErrorType: Throttled\r\nother: x-amzn-query-error: no';
  expect([field(head, 'x-amzn-errortype'), field(head, 'x-amzn-query-error')]).toEqual(['Throttled', '']);
});
