import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { cacheFolder } from '../../../tools/cache/cache-folder.ts';

test('the cache is where the variable says, else where the system keeps caches, else in the home folder', () => {
  expect(cacheFolder({ LONGSHORE_CACHE: '/own', XDG_CACHE_HOME: '/xdg' })).toBe('/own');
  expect(cacheFolder({ XDG_CACHE_HOME: '/xdg' })).toBe(join('/xdg', 'longshore'));
  expect(cacheFolder({ XDG_CACHE_HOME: '', LONGSHORE_CACHE: '' })).toBe(join(homedir(), '.cache', 'longshore'));
});
