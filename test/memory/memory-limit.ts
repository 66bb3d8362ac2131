import { existsSync } from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the kernel's control of memory is, in either of its two versions. */
const places = [
  { folder: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes', swap: 'memory.memsw.limit_in_bytes' },
  { folder: '/sys/fs/cgroup', limit: 'memory.max', swap: 'memory.swap.max' },
] as const;
const place = places.find(({ folder }) => existsSync(join(folder, 'cgroup.procs')));

let count = 0;

/** A limit that the kernel itself enforces: whoever exceeds it is killed, as Lambda does it. */
export class MemoryLimit {
  private readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Why there can be none on this machine, in one line; undefined where there can. */
  static async whyNot(): Promise<string | undefined> {
    try {
      const limit = await MemoryLimit.of(1024 * 1024 * 1024);
      await limit.remove();
      return undefined;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return `memory cannot be limited here, so nothing was shown about it (run it as root on Linux with cgroups): ${reason}`;
    }
  }

  static async of(bytes: number): Promise<MemoryLimit> {
    if (!place) throw new Error('there are no cgroups with a memory controller');
    count += 1;
    const folder = join(place.folder, `longshore-test-${process.pid}-${count}`);
    await mkdir(folder);
    const made = new MemoryLimit(folder);
    try {
      await writeFile(join(folder, place.limit), String(bytes));
    } catch (error) {
      await made.remove();
      throw error;
    }
    // What may be swapped out instead of being killed would show nothing; not every kernel counts it.
    await writeFile(join(folder, place.swap), place.swap === 'memory.swap.max' ? '0' : String(bytes)).catch(() => {});
    return made;
  }

  /** What a process writes itself into to be limited from then on, with all that it starts. */
  get members(): string {
    return join(this.folder, 'cgroup.procs');
  }

  /** Once nobody is in it any more. */
  async remove(): Promise<void> {
    await rmdir(this.folder);
  }
}

/** The largest resident memory that a process has had. */
export async function peakBytesOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}
