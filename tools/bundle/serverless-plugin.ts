import { bundleFunctions } from './bundle.ts';

/** Makes `serverless deploy` and `serverless package` bundle first, so that what is deployed is what the sources say. */
export default class BundlePlugin {
  readonly hooks: Record<string, () => Promise<void>>;

  constructor(serverless: { serviceDir: string }) {
    const bundle = async (): Promise<void> => {
      await bundleFunctions({ root: serverless.serviceDir });
    };
    this.hooks = { 'before:package:initialize': bundle, 'before:deploy:function:initialize': bundle };
  }
}
