/** A set of names for each name, such as the volumes that concern a claim. */
export class NameSets {
  private readonly sets = new Map<string, Set<string>>();

  add(name: string, member: string): void {
    const members = this.sets.get(name) ?? new Set<string>();
    this.sets.set(name, members.add(member));
  }

  delete(name: string, member: string): void {
    const members = this.sets.get(name);
    if (members?.delete(member) && members.size === 0) this.sets.delete(name);
  }

  has(name: string, member: string): boolean {
    return this.sets.get(name)?.has(member) === true;
  }

  hasAny(name: string): boolean {
    return this.sets.has(name);
  }

  of(name: string): string[] {
    const members = this.sets.get(name);
    return members ? [...members] : [];
  }
}
