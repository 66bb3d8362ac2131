import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import type { Examined } from '../../../cli/dead-letters/examine.ts';
import { RedriveOutput } from '../../../cli/dead-letters/redrive-output.ts';
import { describe as describeDeadLetters } from '../../../cli/dead-letters/text.ts';
import { ConfirmationPrompt } from '../../../cli/terminal/confirmation-prompt.ts';
import { clipped, printable } from '../../../cli/terminal/printable.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { emptyCounts, type RedriveCounts } from '../../../lib/recovery/dead-letters/redrive-counts.ts';
import { deadLetter } from '../../lib/recovery/dead-letters/fake-dead-letter-queue.ts';

const now = new Date('2026-11-19T05:00:30Z');
const key = { namespace: 'stage', name: 'db1' };

function examined(different: Partial<Examined> = {}): Examined {
  return {
    deadLetter: deadLetter('1'),
    subject: { type: 'object', cluster: 'main', resource: resources.transferRequest, key },
    diagnosis: {
      state: 'open',
      detail: 'it would patch StorageTransferRequest stage/db1',
      objectStatus: 'Complete False Failed',
    },
    firstFailure: new Date('2026-11-19T04:00:00Z'),
    lastFailure: new Date('2026-11-19T04:35:12Z'),
    error: { text: 'no answer', from: 'log' },
    ...different,
  };
}

test('letters about one object are told together, with the first and the last failure and the newest error', () => {
  const later = {
    deadLetter: deadLetter('2'),
    firstFailure: new Date('2026-11-19T04:10:00Z'),
    lastFailure: new Date('2026-11-19T05:00:00Z'),
    error: { text: 'forbidden', from: 'log' as const },
  };
  expect(describeDeadLetters([examined(), examined(later)], now)).toEqual([
    'match-transfer  StorageTransferRequest stage/db1 of cluster main, 2 dead letters',
    '  failed  first 2026-11-19T04:00:00Z (1 h ago), last 2026-11-19T05:00:00Z (30 s ago)',
    '  error   forbidden',
    '  object  Complete False Failed',
    '  state   open: it would patch StorageTransferRequest stage/db1',
    '',
  ]);
});

test('what is not known is said not to be', () => {
  const unknown = { firstFailure: undefined, lastFailure: undefined, error: undefined };
  const lines = describeDeadLetters([examined(unknown)], now);
  expect(lines.slice(1, 3)).toEqual([
    '  failed  not known when; sent 2026-11-19T03:00:00Z (2 h ago)',
    '  error   not known',
  ]);
});

test('what others wrote stays on its line, and moves no cursor', () => {
  expect(printable('a\r\nb\tc\u001b[31m \u009b \u202e \u2028 d')).toBe('a b c?[31m ? ? d');
  expect(printable('Grüße, 東京 🙂')).toBe('Grüße, 東京 🙂');
  expect(clipped('🙂🙂🙂', 2)).toBe('🙂🙂…');
});

describe('a redrive', () => {
  const tally: RedriveCounts = {
    ...emptyCounts(),
    moved: 7,
    left: { finished: 2, unprocessable: 1, deletion: 2, 'behind a deletion': 1, 'not selected': 3 },
    back: 1,
    beyond: 4,
    elsewhere: 5,
  };

  test('tells by function what it has done', () => {
    const telling = new RedriveOutput({ write: () => {} }, false);
    const tallies = new Map([
      ['match-transfer', tally],
      ['match-claim', emptyCounts()],
    ]);
    expect(telling.summary(tallies, 'run-1')).toEqual([
      'match-transfer: 7 moved, 2 left as done or gone, 1 left as unprocessable, ' +
        '2 left as requests to delete a Bucket (--include deletions moves them), ' +
        '1 left behind those, which they must not overtake, 3 not selected, 1 failed again immediately and came back, ' +
        '4 or so not handed out by SQS, because they are behind others of their group, ' +
        '5 or so held by another command, and visible again when it ends, or two minutes after it was killed',
      '7 dead letters moved by run run-1',
    ]);
    expect(() => telling.failUnlessWell(tallies, false)).not.toThrow();
  });

  test('fails where a letter was refused, or sent and not deleted, or it was stopped', () => {
    const telling = new RedriveOutput({ write: () => {} }, false);
    const refused = [{ deadLetter: deadLetter('1'), problem: 'InvalidMessageContents' }];
    const bad = new Map([['match-transfer', { ...tally, refused, behindRefused: 2, twice: [deadLetter('2')] }]]);
    expect(telling.summary(bad, 'run-1')[1]).toBe('  refused: InvalidMessageContents');
    expect(() => telling.failUnlessWell(bad, true)).toThrow(
      /^3 dead letters not taken by their queue.*; 1 dead letter sent and not deleted.*; stopped: /,
    );
  });

  test('does not say of what is behind a letter that was sent, or was come to late, that a queue refused it', () => {
    const bad = new Map([['match-transfer', { ...emptyCounts(), twice: [deadLetter('1')], behindTwice: 2, late: 3 }]]);
    expect(() => new RedriveOutput({ write: () => {} }, false).failUnlessWell(bad, false)).toThrow(
      /^1 dead letter sent and not deleted.*; 2 dead letters left behind those.*; 3 dead letters reached too late/,
    );
  });

  test('goes on on one line of a terminal, and is silent elsewhere while it is short', () => {
    const written = { terminal: [] as string[], file: [] as string[] };
    const terminal = new RedriveOutput({ isTTY: true, write: (text) => written.terminal.push(text) }, true);
    const file = new RedriveOutput({ write: (text) => written.file.push(text) }, false);
    for (const telling of [terminal, file]) {
      telling.progress(new Map([['match-transfer', tally]]));
      telling.end();
    }
    expect(written).toEqual({ terminal: ['\r7 would be moved, 9 left', '\n'], file: [] });
  });
});

describe('a question', () => {
  const answersFrom = (text: string, signal = new AbortController().signal) => {
    const input = new PassThrough();
    input.end(text);
    return new ConfirmationPrompt(signal, input, { write: () => {} });
  };

  test.each([
    ['drop 3\n', true],
    ['  drop 3  \n', true],
    ['drop 3', true],
    ['drop 33\n', false],
    ['\ndrop 3\n', false],
    ['y\n', false],
    ['', false],
  ])('is confirmed by %j: %p', async (text, expected) => {
    expect(await answersFrom(text).confirm('Drop 3?', 'drop 3')).toBe(expected);
  });

  test('that comes after the input has ended is not waited for', async () => {
    const answers = answersFrom('drop 3\n');
    expect(await answers.confirm('Drop 3?', 'drop 3')).toBe(true);
    expect(await answers.confirm('Drop 1?', 'drop 1')).toBe(false);
  });

  test('is not confirmed by whoever stops the command', async () => {
    const stop = new AbortController();
    const answers = new ConfirmationPrompt(stop.signal, new PassThrough(), { write: () => {} });
    const answer = answers.confirm('Drop 3?', 'drop 3');
    stop.abort();
    expect(await answer).toBe(false);
  });
});
