import { bundleFunctions } from './bundle.ts';
import { scheduleEachCluster } from './schedules.ts';

interface Serverless {
  serviceDir: string;
  service: Parameters<typeof scheduleEachCluster>[0];
}

/**
 * Makes `serverless deploy` and `serverless package` bundle first, so that what is deployed is what the sources say, and
 * gives each cluster a schedule of its own, which a text of variables cannot.
 */
export default class LongshorePlugin {
  readonly hooks: Record<string, () => Promise<void>>;

  constructor(serverless: Serverless) {
    const bundle = async (): Promise<void> => {
      scheduleEachCluster(serverless.service);
      await bundleFunctions({ root: serverless.serviceDir });
    };
    this.hooks = { 'before:package:initialize': bundle, 'before:deploy:function:initialize': bundle };
  }
}
