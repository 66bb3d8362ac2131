import { createRequire } from 'node:module';
import type { Config, EmittingTestRunner, Test, TestEvents } from 'jest-runner';

const { default: TestRunner } = createRequire(import.meta.url)('jest-runner') as typeof import('jest-runner');

type Listener<Name extends keyof TestEvents> = (event: TestEvents[Name]) => void | Promise<void>;
type Watcher = Parameters<EmittingTestRunner['runTests']>[1];
type Options = Parameters<EmittingTestRunner['runTests']>[2];
type Context = ConstructorParameters<typeof TestRunner>[1];

/** Their files change what all of them share: one runs after the other, beside the files of all other projects. */
const inSeries = 'deploy';

/** Runs the files of one project in series by a worker of their own, while the other workers run all others. */
export default class LanesRunner extends TestRunner {
  private readonly series: EmittingTestRunner;
  private readonly others: EmittingTestRunner;
  private readonly maxWorkers: number;

  constructor(config: Config.GlobalConfig, context: Context) {
    super(config, context);
    this.maxWorkers = config.maxWorkers;
    this.series = new TestRunner({ ...config, maxWorkers: 1 }, context);
    this.others = new TestRunner({ ...config, maxWorkers: Math.max(1, config.maxWorkers - 1) }, context);
  }

  override async runTests(tests: Test[], watcher: Watcher, options: Options): Promise<void> {
    const series = tests.filter(isInSeries);
    const others = tests.filter((test) => !isInSeries(test));
    const isOneLane = series.length === 0 || this.maxWorkers === 1;
    if (isOneLane) return super.runTests(tests, watcher, options);
    await Promise.all([this.series.runTests(series, watcher, options), this.others.runTests(others, watcher, options)]);
  }

  /** Whatever one of the lanes tells is told. */
  override on<Name extends keyof TestEvents>(name: Name, listener: Listener<Name>): () => void {
    const ends = [super.on(name, listener), this.series.on(name, listener), this.others.on(name, listener)];
    return () => {
      for (const end of ends) end();
    };
  }
}

function isInSeries({ context }: Test): boolean {
  return context.config.displayName?.name === inSeries;
}
