/** The version that this release writes, and the newest that it understands. Messages without one, such as Knative's, have version 1. */
export const messageVersion = 1;

/** A message of a later release. It is not malformed: the release that wrote it, deployed again, can process it. */
export class LaterMessage extends Error {
  override name = 'LaterMessage';

  constructor(version: number) {
    super(
      `the message has version ${version}, but this release knows ${messageVersion}: deploy the later release again`,
    );
  }
}

export class MalformedMessage extends Error {
  constructor(reason: string) {
    super(`malformed message: ${reason}`);
    this.name = 'MalformedMessage';
  }
}
