import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Directories } from '../../../tools/csi-stand-in/directories.ts';

let folder: string;
let disk: Directories;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'longshore-directories-'));
  disk = new Directories(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (volume: string, text: string) => writeFileSync(join(disk.pathOf(volume), 'file'), text);
const read = (volume: string) => readFileSync(join(disk.pathOf(volume), 'file'), 'utf8');

describe('volumes as directories', () => {
  test('a snapshot is a copy of its own, and so is what is made from it', () => {
    disk.createVolume('one', 10);
    write('one', 'old');
    disk.createSnapshot('cut', 'one');
    write('one', 'new');
    disk.createVolume('two', 20, { snapshot: 'cut' });
    disk.createVolume('three', 20, { volume: 'one' });
    disk.deleteVolume('one');
    disk.deleteSnapshot('cut');
    expect([read('two'), read('three')]).toEqual(['old', 'new']);
    expect([disk.hasVolume('one'), disk.hasSnapshot('cut')]).toEqual([false, false]);
    expect(readdirSync(join(folder, 'sizes')).sort()).toEqual(['three', 'two']);
  });

  test('what is made again stays as it is, and what is deleted again is no error', () => {
    disk.createVolume('one', 10);
    write('one', 'data');
    disk.createVolume('one', 10);
    disk.createSnapshot('cut', 'one');
    disk.createSnapshot('cut', 'one');
    expect([read('one'), disk.sizeOf('cut')]).toEqual(['data', 10]);
    disk.deleteVolume('absent');
    disk.deleteSnapshot('absent');
  });

  test.each(['../one', '/one', '.', '..', ''])('no handle leads out of the folder: %j', (handle) => {
    expect(dirname(disk.pathOf(handle))).toBe(join(folder, 'volumes'));
    disk.deleteVolume(handle);
    disk.deleteSnapshot(handle);
    expect(existsSync(join(folder, 'volumes'))).toBe(true);
  });
});
