import { describe, expect, test } from '@jest/globals';
import { creating, deleting } from '../../lib/capabilities/buckets/steps/request-bucket/samples.ts';
import { messageAbout } from '../../lib/recovery/dead-letters/case-queues.ts';
import { pairOf, start } from './case-aws.ts';
import { deadLetters, once, withDeadLetters } from './case-dead-letters.ts';

const { started, run, remaining } = withDeadLetters();

/** What there is, as soon as there is anything. */
async function untilSome<T>(take: () => Promise<T[]>): Promise<T[]> {
  for (;;) {
    const some = await take();
    if (some.length > 0) return some;
  }
}

describe('redrive', () => {
  test('moves all but what cannot be processed, in the order of its group', async () => {
    const { status, stdout } = await run(['redrive']);
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/^match-transfer: 3 moved, 2 left as unprocessable\n3 dead letters moved by run redrive\./),
    ]);
    const arrived = await pairOf(started(), 'match-transfer').arrived();
    const ids = arrived.map(({ body }) => JSON.parse(body).id);
    expect(ids).toEqual(deadLetters.slice(0, 3).map(({ body }) => JSON.parse(body).id));
    expect(await remaining()).toBe(2);
  });

  test('moves everything where it is told to', async () => {
    expect((await run(['redrive', '--include', 'unprocessable'])).stdout).toContain('5 dead letters moved');
    expect((await pairOf(started(), 'match-transfer').arrived()).length).toBe(5);
  });

  test('gives back what is in its hands when it is stopped, and goes on when it is called again', async () => {
    const pair = pairOf(started(), 'match-transfer');
    await pair.bury(Array.from({ length: 8 }, (_, index) => once(messageAbout(`more-${index}`))));
    const running = start(['redrive', '--rate', '1'], started().environment);
    const before = await untilSome(pair.arrived);
    running.child.kill('SIGINT');
    const { status, stderr } = await running.ended;
    expect([status, stderr]).toEqual([130, expect.stringContaining('run the same command again')]);
    const since = await pair.arrived();
    expect((await run(['redrive'])).status).toBe(0);
    const rest = await pair.arrived();
    expect(rest.length).toBeGreaterThan(0);
    expect(before.length + since.length + rest.length).toBe(3 + 8);
  });

  test('leaves a request to delete a Bucket unless it is included', async () => {
    const pair = pairOf(started(), 'request-bucket');
    const bodies = [creating({ name: 'films' }), deleting()];
    await pair.bury(
      bodies.map((body, index) =>
        once({ function: 'request-bucket', body, groupId: `${index}`, deduplicationId: `${index}` }),
      ),
    );
    const listed = await run(['dlq', '--function', 'request-bucket']);
    expect(listed.stdout).toContain('longshore redrive would send 1 of them again, and leave 1 where they are');
    expect(listed.stdout).toContain('it leaves requests to delete a Bucket without --include deletions: 1\n');
    const { stdout } = await run(['redrive', '--function', 'request-bucket', '--include', 'done,unprocessable']);
    expect(stdout).toContain(
      'request-bucket: 1 moved, 1 left as requests to delete a Bucket (--include deletions moves them)\n',
    );
    expect((await pair.arrived()).map(({ body }) => body)).toEqual(bodies.slice(0, 1));
    const included = await run(['redrive', '--function', 'request-bucket', '--include', 'deletions']);
    expect(included.stdout).toContain('1 dead letter moved');
    expect((await pair.arrived()).map(({ body }) => body)).toEqual(bodies.slice(1));
  });

  test('does not let a request overtake the deletion of its Bucket that it has left, however much is received between', async () => {
    const pair = pairOf(started(), 'request-bucket');
    // More than are received at a time.
    const others = Array.from({ length: 12 }, (_, index) => creating({ name: `films-${index}` }));
    const bodies = [deleting(), ...others, creating()];
    await pair.bury(
      bodies.map((body, index) =>
        once({ function: 'request-bucket', body, groupId: `lane-${index}`, deduplicationId: `${index}` }),
      ),
    );
    const { stdout } = await run(['redrive', '--function', 'request-bucket']);
    expect(stdout).toContain(
      'request-bucket: 12 moved, 1 left as requests to delete a Bucket (--include deletions moves them), ' +
        '1 left behind those, which they must not overtake\n',
    );
    expect((await pair.arrived()).map(({ body }) => body)).toEqual(others);
  });

  test('creates before it deletes, and says what it has left', async () => {
    const pair = pairOf(started(), 'request-bucket');
    const bodies = [creating(), deleting()];
    const bury = () =>
      pair.bury(
        bodies.map((body) =>
          once({ function: 'request-bucket', body, groupId: 'reports', deduplicationId: 'request' }),
        ),
      );
    await bury();
    expect((await run(['redrive', '--function', 'request-bucket'])).stdout).toContain(
      'request-bucket: 1 moved, 1 left as requests to delete a Bucket',
    );
    expect((await pair.arrived()).map(({ body }) => body)).toEqual(bodies.slice(0, 1));
    await pair.buried();
    await bury();
    await run(['redrive', '--function', 'request-bucket', '--include', 'deletions']);
    expect((await pair.arrived()).map(({ body }) => body)).toEqual(bodies);
  });

  test('moves nothing when it is dry, and only what is selected otherwise', async () => {
    expect((await run(['redrive', '--dry-run'])).stdout).toContain('1 dead letter would be moved');
    expect((await run(['redrive', '--kind', 'bucket'])).stdout).toContain('0 dead letters moved');
    expect(await remaining()).toBe(5);
  });
});
