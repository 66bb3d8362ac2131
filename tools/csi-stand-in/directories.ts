import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Disk, Origin } from './rules/rule.ts';

/**
 * A driver's disk as directories: `volumes/<handle>` is what a pod would mount, and `snapshots/<handle>` a copy of one.
 * The intended size of each is stored beside it.
 */
export class Directories implements Disk {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    for (const part of ['volumes', 'snapshots', 'sizes']) mkdirSync(join(folder, part), { recursive: true });
  }

  pathOf(volume: string): string {
    return join(this.folder, 'volumes', legal(volume));
  }

  createVolume(handle: string, bytes: number, from?: Origin): void {
    if (this.hasVolume(handle)) return;
    const origin = from && ('snapshot' in from ? this.pathOfSnapshot(from.snapshot) : this.pathOf(from.volume));
    this.make(handle, bytes, this.pathOf(handle), origin);
  }

  deleteVolume(handle: string): void {
    this.wipe(handle, this.pathOf(handle));
  }

  createSnapshot(handle: string, volume: string): void {
    if (this.hasSnapshot(handle)) return;
    this.make(handle, this.sizeOf(volume), this.pathOfSnapshot(handle), this.pathOf(volume));
  }

  deleteSnapshot(handle: string): void {
    this.wipe(handle, this.pathOfSnapshot(handle));
  }

  hasVolume(handle: string): boolean {
    return existsSync(this.pathOf(handle));
  }

  hasSnapshot(handle: string): boolean {
    return existsSync(this.pathOfSnapshot(handle));
  }

  sizeOf(handle: string): number {
    return Number(readFileSync(this.sizePath(handle), 'utf8'));
  }

  pathOfSnapshot(handle: string): string {
    return join(this.folder, 'snapshots', legal(handle));
  }

  /** It appears under its name once it is complete. */
  private make(handle: string, bytes: number, path: string, origin: string | undefined): void {
    const unfinished = `${path}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    if (origin) cpSync(origin, unfinished, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    else mkdirSync(unfinished);
    writeFileSync(this.sizePath(handle), String(bytes));
    renameSync(unfinished, path);
  }

  private wipe(handle: string, path: string): void {
    rmSync(path, { recursive: true, force: true });
    rmSync(this.sizePath(handle), { force: true });
  }

  private sizePath(handle: string): string {
    return join(this.folder, 'sizes', legal(handle));
  }
}

/** Anyone who may write a volume chooses its handle: it must not lead out of the folder. */
function legal(handle: string): string {
  if (/^[\w-][\w.-]*$/.test(handle)) return handle;
  return `illegal-${Buffer.from(handle).toString('hex').slice(0, 200)}`;
}
