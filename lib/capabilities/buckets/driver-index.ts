import { isOf } from '../../kubernetes/of-kind.ts';
import { displayName, resources } from '../../kubernetes/resources.ts';
import { NameSets } from '../../reconcile/name-sets.ts';
import type { Change } from '../../reconcile/routing.ts';

/** The drivers that are registered, and the classes that name them. */
export class DriverIndex {
  private readonly registered = new Set<string>();
  private readonly drivers = new Map<string, string>();
  private readonly classes = new NameSets();

  note(change: Change): void {
    const { type, object } = change;
    const name = displayName(object.metadata);
    const isThere = type !== 'deleted';
    if (isOf(change, resources.registration)) {
      // One that is being deleted is made again.
      if (isThere && !object.metadata.deletionTimestamp) this.registered.add(name);
      else this.registered.delete(name);
    }
    if (isOf(change, resources.bucketClass)) this.noteClass(name, isThere ? change.object.provisioner : undefined);
  }

  isRegistered(driver: string): boolean {
    return this.registered.has(driver);
  }

  classesOf(driver: string): string[] {
    return this.classes.of(driver);
  }

  private noteClass(name: string, driver: string | undefined): void {
    const before = this.drivers.get(name);
    if (before) this.classes.delete(before, name);
    this.drivers.delete(name);
    if (!driver) return;
    this.drivers.set(name, driver);
    this.classes.add(driver, name);
  }
}
