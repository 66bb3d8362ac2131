import { expect, test } from '@jest/globals';
import { findPython } from '../../../tools/python/python.ts';

const only = (answers: Record<string, string>) => (command: string) => Promise.resolve(answers[command] ?? '');

test('the first Python that is new enough and has venv is taken', async () => {
  const ask = only({ python3: '3.9.2 venv', 'python3.12': '3.12.1', 'python3.11': '3.11.7 venv' });
  expect(await findPython(ask)).toEqual({ command: 'python3.11', version: '3.11.7' });
});

test('without any Python the message says what to install', async () => {
  await expect(findPython(only({}))).rejects.toThrow(/^Python >= 3\.10 is needed, found none: install it/);
});

test('a Python that is too old, or lacks venv, is named', async () => {
  const ask = only({ python3: '3.9.2 venv', 'python3.12': '3.12.1' });
  await expect(findPython(ask)).rejects.toThrow('found 3.9.2 (python3), 3.12.1 without venv (python3.12): install it');
});
