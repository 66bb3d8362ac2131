import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from '../../lib/kubernetes/connection.ts';
import type { Volume } from '../../lib/kubernetes/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { RestCluster } from '../../lib/kubernetes/rest-cluster.ts';
import { type KeptProcess, startKept } from '../processes/kept-process.ts';
import { connect } from './connect.ts';
import { applySnapshotDefinitions } from './definitions.ts';
import { Directories } from './directories.ts';
import { driverOf, handleOf } from './kinds.ts';
import { Mirror } from './mirror.ts';
import type { Driver, DriverOptions, World } from './rules/rule.ts';
import { seen, sidecarsOf } from './rules/sidecars.ts';
import { Runner } from './runner.ts';
import { Writer } from './writer.ts';

export interface CsiStandInOptions {
  readonly drivers: readonly DriverOptions[];
  /** The folder of volumes and snapshots. A given one stays; by default there is a new one, which is removed. */
  readonly folder?: string;
  readonly log?: (line: string) => void;
  /** False if the cluster has the kinds, and the others that are defined with them are not wanted. */
  readonly defines?: boolean;
  /** The first delay before a retry, which doubles from then on. By default as long as the real one. */
  readonly retryMs?: number;
}

const defaultRetryMs = 1_000;

/** Starts drivers with all their sidecars, which run until they are stopped, or this process ends. */
export async function startCsiStandIn(kubeconfigPath: string, options: CsiStandInOptions): Promise<CsiStandIn> {
  if (options.defines ?? true) await applySnapshotDefinitions(kubeconfigPath, options.log);
  const standIn = new CsiStandIn(await connect(kubeconfigPath), options);
  await standIn.start();
  return standIn;
}

export class CsiStandIn {
  readonly folder: string;
  private readonly connection: Connection;
  private readonly keeper: KeptProcess | undefined;
  private readonly disks = new Map<string, Directories>();
  private readonly drivers = new Map<string, Driver>();
  private readonly mirror: Mirror;
  private readonly runner: Runner;
  private readonly stopping = new AbortController();
  private readonly following: Promise<void>[] = [];

  constructor(
    connection: Connection,
    { drivers, folder, log = () => {}, retryMs = defaultRetryMs }: CsiStandInOptions,
  ) {
    this.connection = connection;
    this.folder = folder ?? mkdtempSync(join(tmpdir(), 'longshore-csi-'));
    this.keeper = folder === undefined ? keep(this.folder) : undefined;
    for (const options of drivers) {
      const disk = new Directories(join(this.folder, options.name));
      this.disks.set(options.name, disk);
      this.drivers.set(options.name, { options, disk, failing: false, hanging: false, uploading: false });
    }
    this.mirror = new Mirror(connection, (...change) => this.runner.onChange(...change));
    const writer = new Writer(new RestCluster('stand-in', connection), this.mirror, this.disks);
    this.runner = new Runner(sidecarsOf([...this.drivers.values()]), this.world(), writer, { retryMs, log });
  }

  /** Ready once everything in the cluster has been seen. */
  async start(): Promise<void> {
    const crosses = [...this.drivers.values()].some(({ options }) => options.crossesNamespaces);
    const lists = seen
      .filter(({ plural }) => crosses || plural !== resources.referenceGrant.plural)
      .map((resource) => {
        const follow = (listed: () => void) => this.mirror.follow(resource, this.stopping.signal, listed);
        return new Promise<void>((listed) => this.following.push(follow(listed)));
      });
    await Promise.all(lists);
    this.runner.start();
  }

  /** The folder with the data of a provisioned volume. */
  directoryOf(volume: Volume): string {
    return this.diskOf(driverOf(volume) ?? '').pathOf(handleOf(volume) ?? '');
  }

  /** The folder with a snapshot's copy of the data, by the handle in contents. */
  snapshotDirectoryOf(driver: string, handle: string): string {
    return this.diskOf(driver).pathOfSnapshot(handle);
  }

  /** From now on CreateVolume is refused, or no longer. */
  failing(driver: string, isFailing: boolean): void {
    this.set(driver, { failing: isFailing });
  }

  /** From now on CreateVolume does not return, or continues. */
  hanging(driver: string, isHanging: boolean): void {
    this.set(driver, { hanging: isHanging });
  }

  /** New snapshots are cut but not ready to be restored, or become ready. */
  uploading(driver: string, isUploading: boolean): void {
    this.set(driver, { uploading: isUploading });
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.runner.stop();
    await Promise.all(this.following);
    this.connection.close();
    await this.keeper?.stop();
    if (this.keeper) await rm(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }

  private set(name: string, state: Partial<Pick<Driver, 'failing' | 'hanging' | 'uploading'>>): void {
    const driver = this.drivers.get(name);
    if (!driver) throw new Error(`there is no driver ${name}`);
    Object.assign(driver, state);
    this.runner.wakeAll();
  }

  private diskOf(driver: string): Directories {
    const disk = this.disks.get(driver);
    if (!disk) throw new Error(`there is no driver ${JSON.stringify(driver)}`);
    return disk;
  }

  private world(): World {
    const { mirror } = this;
    return {
      get: (...of) => mirror.get(...of) as never,
      all: (...of) => mirror.all(...of) as never,
      now: () => new Date(),
    };
  }
}

/** The folder is removed however this process ends: the keeper of an idle program removes it. */
function keep(folder: string): KeptProcess {
  const idle = { command: 'tail', args: ['-f', '/dev/null'], environment: { PATH: process.env.PATH ?? '' } };
  return startKept({ ...idle, folder, logPath: join(folder, 'log') });
}
