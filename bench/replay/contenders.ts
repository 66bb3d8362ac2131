import { fileURLToPath } from 'node:url';
import { bundled, ownFlags } from '../forward/bundled.ts';

/** A program that puts a range of the archive onto its queues. It prints its figures on one line, and ends. */
export interface Contender {
  title: string;
  about: string;
  program: string;
}

export const ours: Contender = {
  title: 'longshore',
  about: 'functions/replay, as a process',
  program: './replay-process.ts',
};

export const oneAtATime: Contender = {
  title: 'one at a time',
  about: '@aws-sdk/client-s3, readline, one awaited SendMessage of @aws-sdk/client-sqs a line',
  program: './baselines/one-at-a-time.ts',
};

export const inBatches: Contender = {
  title: 'in batches',
  about: 'the same, SendMessageBatch of 10 lines, one after the other',
  program: './baselines/in-batches.ts',
};

/** The arguments of Node for a contender's process. */
export async function commandOf({ program }: Contender): Promise<string[]> {
  return [...ownFlags(), await bundled(fileURLToPath(new URL(program, import.meta.url)))];
}
