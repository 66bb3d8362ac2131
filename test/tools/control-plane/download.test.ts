import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { downloadProgram } from '../../../tools/control-plane/download.ts';
import type { Program } from '../../../tools/control-plane/programs.ts';

const versions = { kubernetes: 'v1.36.0', etcd: 'v3.6.1' };
const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
const files = new Map<string, Buffer | string>();
const server = createServer((incoming, outgoing) => {
  const file = files.get(incoming.url ?? '');
  outgoing.writeHead(file === undefined ? 404 : 200).end(file);
});
let hosts = { kubernetes: '', etcd: '' };
let folder = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  hosts = { kubernetes: `${address}/kubernetes`, etcd: `${address}/etcd` };
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-download-'));
});
afterEach(async () => {
  files.clear();
  await rm(folder, { recursive: true });
});

const digestOf = (contents: Buffer | string) => createHash('sha256').update(contents).digest('hex');
const download = (program: Program, progress: string[] = []) =>
  downloadProgram(program, versions, join(folder, program), (line) => void progress.push(line), hosts);

// Upstream releases servers for Linux only.
const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('a program of Kubernetes', () => {
  const path = `/kubernetes/v1.36.0/bin/linux/${architecture}/kube-apiserver`;

  test('is downloaded when its checksum is right, and can be run', async () => {
    files.set(path, 'program').set(`${path}.sha256`, digestOf('program'));
    const progress: string[] = [];
    expect(await download('kube-apiserver', progress)).toBe(true);
    expect(progress).toEqual([`Downloading ${hosts.kubernetes}${path.slice('/kubernetes'.length)}`]);
    expect(await readFile(join(folder, 'kube-apiserver'), 'utf8')).toBe('program');
    expect((await stat(join(folder, 'kube-apiserver'))).mode & 0o111).toBe(0o111);
    expect(await readdir(folder)).toEqual(['kube-apiserver']);
  });

  test('is refused when its checksum is wrong, and nothing of it is left', async () => {
    files.set(path, 'another program').set(`${path}.sha256`, digestOf('program'));
    await expect(download('kube-apiserver')).rejects.toThrow(
      /does not have the checksum that .*\.sha256 gives: it is not used/,
    );
    expect(await readdir(folder)).toEqual([]);
  });

  test('that is not to be had is no error', async () => {
    expect(await download('kube-apiserver')).toBe(false);
    files.set(`${path}.sha256`, digestOf('program'));
    expect(await download('kube-apiserver')).toBe(false);
  });
});

onLinux('etcd', () => {
  const name = `etcd-v3.6.1-linux-${architecture}`;

  async function archive(): Promise<Buffer> {
    await mkdir(join(folder, 'made', name), { recursive: true });
    await writeFile(join(folder, 'made', name, 'etcd'), 'etcd itself');
    const packed = execFileSync('tar', ['-czf', '-', '-C', join(folder, 'made'), name]);
    await rm(join(folder, 'made'), { recursive: true });
    return packed;
  }

  test('is taken out of its archive when the list has its checksum', async () => {
    const packed = await archive();
    const sums = `${digestOf('other')}  other.tar.gz\n${digestOf(packed)}  ${name}.tar.gz\n`;
    files.set(`/etcd/v3.6.1/${name}.tar.gz`, packed).set('/etcd/v3.6.1/SHA256SUMS', sums);
    expect(await download('etcd')).toBe(true);
    expect(await readFile(join(folder, 'etcd'), 'utf8')).toBe('etcd itself');
    expect(await readdir(folder)).toEqual(['etcd']);
  });

  test('is refused when the list has its checksum under another name only', async () => {
    const packed = await archive();
    files
      .set(`/etcd/v3.6.1/${name}.tar.gz`, packed)
      .set('/etcd/v3.6.1/SHA256SUMS', `${digestOf(packed)}  other.tar.gz\n`);
    await expect(download('etcd')).rejects.toThrow('it is not used');
  });
});
