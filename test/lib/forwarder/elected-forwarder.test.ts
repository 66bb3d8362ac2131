import { expect, test } from '@jest/globals';
import { ElectedForwarder } from '../../../lib/forwarder/elected-forwarder.ts';
import { hurriedClock } from '../../support/hurried-clock.ts';
import { ScriptedApi } from './scripted-api.ts';

const log = { info: () => {}, error: () => {}, measure: () => {} };
const page = () => ({ version: '1' });
const api = new ScriptedApi({ current: page, page, watch: () => ({ events: [], end: 'hanging' }) });

test.each(['', 'Longshore-Production', 'longshore/production'])(
  '%j cannot name a lease, and what can is said',
  async (identity) => {
    const lead = new ElectedForwarder({
      cluster: 'main',
      identity,
      api,
      send: async () => [],
      log,
      clock: hurriedClock,
    });
    const running = lead.run({ signal: new AbortController().signal });
    await expect(running).rejects.toThrow('LONGSHORE_IDENTITY must be lower-case letters, digits, "-" and "."');
  },
);
