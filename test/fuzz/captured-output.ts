import { clusterNames } from './surroundings.ts';
import { Violation } from './violation.ts';
import { objectIn } from './well-formed.ts';

/** A line of the log costs by its length, and CloudWatch cuts off what has more than 256 KiB. */
const maxLineLength = 16_384;
const counted: readonly string[] = [...clusterNames, 'unknown'];

/** Keeps what handlers write to the standard output, and shows none of it. */
export class CapturedOutput {
  private readonly written: string[] = [];
  private readonly write = process.stdout.write;

  start(): void {
    process.stdout.write = ((chunk: string | Uint8Array) => {
      this.written.push(String(chunk));
      return true;
    }) as typeof process.stdout.write;
  }

  stop(): void {
    process.stdout.write = this.write;
  }

  begin(): void {
    this.written.length = 0;
  }

  /** Each line is one JSON object: nothing that a message says can begin a line of its own. */
  judge(): void {
    for (const line of this.written
      .join('')
      .split('\n')
      .filter((each) => each !== '')) {
      if (line.length > maxLineLength)
        throw new Violation(`a line of the log has ${line.length} characters: ${line.slice(0, 300)}`);
      const said = objectIn(line);
      if (!said) throw new Violation(`a line of the log is no JSON object: ${line.slice(0, 200)}`);
      const isCounted = said.message === 'measured' && 'Cluster' in said;
      if (isCounted && !counted.includes(String(said.Cluster))) {
        throw new Violation(`a message makes a metric of its own, which costs: ${line.slice(0, 300)}`);
      }
    }
  }
}
