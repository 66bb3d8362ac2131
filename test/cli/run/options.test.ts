import { Command } from '@commander-js/extra-typings';
import { expect, test } from '@jest/globals';
import { admissionOf } from '../../../cli/run/admission-options.ts';
import { defineRun } from '../../../cli/run/define.ts';

/** What the options are read as, without running anything. */
async function read(...given: string[]): Promise<Record<string, unknown>> {
  const command = new Command('run').exitOverride().configureOutput({ outputError: () => {} });
  defineRun(command);
  command.action(() => {});
  await command.parseAsync(given, { from: 'user' });
  return command.opts();
}

test('without options everything is left to its default', async () => {
  expect(await read()).toEqual({});
});

test('what is given counts', async () => {
  const given =
    '--context a --context b --capabilities data-sources,transfers --log json --lease-seconds 5 --memory 150';
  expect(await read(...given.split(' '), '--metrics', '9464')).toEqual({
    context: ['a', 'b'],
    capabilities: ['transfers', 'data-sources'],
    leaseSeconds: 5,
    memory: 150,
    metrics: { host: '127.0.0.1', port: 9464 },
    log: 'json',
  });
});

test.each([
  [['--capabilities', 'transfers,volumes'], '--capabilities must be some of transfers,buckets,data-sources'],
  [['--capabilities', ''], 'but has ""'],
  [['--log', 'xml'], "argument 'xml' is invalid. Allowed choices are json, text"],
  [['--lease-seconds', '4'], '--lease-seconds must be a duration from 5 to 600 seconds'],
  [['--memory', '50'], '--memory must be a whole number from 96 to 65536'],
  [['--admission', 'here'], '--admission must be <address>:<port>'],
  [['main'], 'too many arguments'],
])('%j is refused', async (given, problem) => {
  await expect(read(...given)).rejects.toThrow(problem);
});

test('the webhook has an address, a certificate and its key, or is not there', async () => {
  const given = '--admission 0.0.0.0:8443 --admission-certificate tls.crt --admission-key tls.key'.split(' ');
  expect(admissionOf(await read(...given))).toEqual({
    at: { host: '0.0.0.0', port: 8443 },
    files: { certificate: 'tls.crt', key: 'tls.key' },
  });
  expect(admissionOf(await read())).toBeUndefined();
  for (const some of [given.slice(0, 2), given.slice(2), given.slice(0, 4)]) {
    const options = await read(...some);
    expect(() => admissionOf(options)).toThrow('are given together, or not at all');
  }
});
