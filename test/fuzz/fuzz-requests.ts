import fc from 'fast-check';
import { failuresIn, playOther, seenBy } from './fuzz-messages.ts';
import type { Fuzzer, Fuzzing } from './fuzzer.ts';
import { batchesOf, noBatch, type OddRecord } from './hostile-records.ts';
import { enormousRequestBodies, requestBodies } from './hostile-requests.ts';
import { judgeRequests } from './judge-requests.ts';
import { Violation } from './violation.ts';

type Given = { records: OddRecord[] } | { event: unknown };

/** The function whose messages are events of the cloud, from whoever may put some onto the bus. */
export function requestsFor(fuzzer: Fuzzer): Fuzzing<Given> {
  const bodies = fc.oneof({ weight: 500, arbitrary: requestBodies }, { weight: 1, arbitrary: enormousRequestBodies });
  return {
    given: fc.oneof(
      { weight: 30, arbitrary: batchesOf(bodies).map((records) => ({ records })) },
      { weight: 1, arbitrary: noBatch.map((event) => ({ event })) },
    ),
    count: (given) => ('records' in given ? given.records.length : 1),
    play: (given) => ('records' in given ? playBatch(given.records, fuzzer) : playOther(given.event, fuzzer)),
  };
}

async function playBatch(records: OddRecord[], fuzzer: Fuzzer) {
  const outcome = await fuzzer.invoke({ Records: records });
  if ('error' in outcome) throw new Violation(`it threw, and with that failed the whole batch: ${outcome.error.stack}`);
  const failed = failuresIn(outcome.answer);
  const { buried } = judgeRequests(records, { failed, ...seenBy(fuzzer) });
  return {
    reported: failed.length,
    'put into the dead letters': buried,
    handled: records.length - buried - failed.length,
  };
}
