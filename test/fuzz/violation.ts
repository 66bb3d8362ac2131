/** What must never be so is so. */
export class Violation extends Error {}
