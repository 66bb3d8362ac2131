import type { Disk, Origin } from './rules/rule.ts';

interface Kept {
  readonly bytes: number;
  readonly content: string;
}

/** A driver's disk in memory. The content of a volume is a string, which its snapshots and copies contain too. */
export class MemoryDisk implements Disk {
  private readonly volumes = new Map<string, Kept>();
  private readonly snapshots = new Map<string, Kept>();

  /** The string in a volume, which is empty if nothing was written; undefined if there is no such volume. */
  contentOf(volume: string): string | undefined {
    return this.volumes.get(volume)?.content;
  }

  snapshotContentOf(snapshot: string): string | undefined {
    return this.snapshots.get(snapshot)?.content;
  }

  write(volume: string, content: string): void {
    this.volumes.set(volume, { ...existing(this.volumes, volume), content });
  }

  handles(): { volumes: string[]; snapshots: string[] } {
    return { volumes: [...this.volumes.keys()], snapshots: [...this.snapshots.keys()] };
  }

  createVolume(handle: string, bytes: number, from?: Origin): void {
    if (this.volumes.has(handle)) return;
    const origin =
      from && ('snapshot' in from ? existing(this.snapshots, from.snapshot) : existing(this.volumes, from.volume));
    this.volumes.set(handle, { bytes, content: origin?.content ?? '' });
  }

  deleteVolume(handle: string): void {
    this.volumes.delete(handle);
  }

  createSnapshot(handle: string, volume: string): void {
    if (!this.snapshots.has(handle)) this.snapshots.set(handle, existing(this.volumes, volume));
  }

  deleteSnapshot(handle: string): void {
    this.snapshots.delete(handle);
  }

  hasVolume(handle: string): boolean {
    return this.volumes.has(handle);
  }

  hasSnapshot(handle: string): boolean {
    return this.snapshots.has(handle);
  }

  sizeOf(snapshot: string): number {
    return existing(this.snapshots, snapshot).bytes;
  }
}

function existing(kept: ReadonlyMap<string, Kept>, handle: string): Kept {
  const found = kept.get(handle);
  if (!found) throw new Error(`${handle} is not on the disk`);
  return found;
}
