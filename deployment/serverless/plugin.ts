import { bundleFunctions } from '../bundle/bundle.ts';
import { completeService } from './complete-service.ts';
import { type Parameters, ParametersRefused, parameterNames, readParameters } from './parameters.ts';
import type { Service } from './service.ts';

/** The parts of `serverless` that are used here. */
interface Serverless {
  serviceDir: string;
  service: Service;
  processedInput: { commands: string[]; options: { param?: string[] } };
  classes: { Error: new (message: string, code: string) => Error };
  configSchemaHandler: { defineFunctionProperties(provider: string, schema: object): void };
  getProvider(name: string): { getStage(): string; getRegion(): string };
}

interface Source {
  resolveVariable(variable: string): Promise<unknown>;
}

/** Longshore's own fields in a function's block. */
const blockSchema = {
  properties: {
    capability: { type: 'string' },
    sendsTo: { type: 'array', items: { type: 'string' } },
    queueDepths: { enum: ['read'] },
    archive: { enum: ['write', 'replay'] },
    clusters: { type: 'boolean' },
    may: { type: 'array', items: { type: 'object' } },
    rules: { type: 'object' },
  },
};

/** The other commands, such as info and remove, work without parameters. */
const changing = ['deploy', 'package'];

/**
 * Makes `serverless deploy` and `serverless package` validate the parameters first, bundle the functions from the current
 * sources, and generate the resources that serverless.yml names (complete-service.ts).
 */
export default class LongshorePlugin {
  readonly hooks: Record<string, () => Promise<void>>;
  readonly configurationVariablesSources: Record<string, { resolve(source: Source): Promise<{ value: unknown }> }>;
  private readonly serverless: Serverless;
  private parameters: Parameters | undefined;

  constructor(serverless: Serverless) {
    this.serverless = serverless;
    serverless.configSchemaHandler.defineFunctionProperties('aws', blockSchema);
    // Variables are resolved before the service is validated: so an invalid parameter is reported as such.
    this.configurationVariablesSources = { parameters: { resolve: (source) => this.check(source) } };
    const prepare = () => this.prepare();
    this.hooks = { 'before:package:initialize': prepare, 'before:deploy:function:initialize': prepare };
  }

  private async check({ resolveVariable }: Source): Promise<{ value: object }> {
    const { commands, options } = this.serverless.processedInput;
    if (!changing.includes(commands[0] ?? '')) return { value: {} };
    const texts: Record<string, unknown> = {};
    for (const name of options.param ?? []) texts[name.split('=')[0] ?? ''] = '';
    for (const name of parameterNames) texts[name] = await resolveVariable(`param:${name}, null`);
    const provider = this.serverless.getProvider('aws');
    try {
      this.parameters = readParameters(texts, { stage: provider.getStage(), region: provider.getRegion() });
    } catch (error) {
      if (!(error instanceof ParametersRefused)) throw error;
      throw new this.serverless.classes.Error(error.message, 'PARAMETERS_REFUSED');
    }
    return { value: {} };
  }

  private async prepare(): Promise<void> {
    const { serverless, parameters } = this;
    if (!parameters)
      throw new Error('serverless.yml does not check its parameters: it must use the variable parameters:all');
    completeService(serverless.service, parameters, serverless.getProvider('aws').getStage());
    await bundleFunctions({ root: serverless.serviceDir, names: Object.keys(serverless.service.functions) });
  }
}
