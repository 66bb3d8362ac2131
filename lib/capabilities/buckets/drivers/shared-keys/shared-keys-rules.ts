import type { Flow, Parameters } from '../driver.ts';
import { infoOf } from '../driver-config.ts';
import { type ParameterRules, parameterProblems } from '../parameter-rules.ts';
import type { Defaults } from '../s3/connection-settings.ts';
import type { DriverOptions, DriverRules } from '../s3/s3-checks.ts';
import { bucketRules, regionProblems } from '../s3/s3-parameters.ts';
import { settleParameters } from '../s3/settle-parameters.ts';

const rules: ParameterRules = bucketRules;

export function sharedKeysRules(name: string, options: DriverOptions): DriverRules {
  return {
    info: () => infoOf({ name, type: 'shared-keys' }),
    check: (parameters, flow) => checkParameters(parameters, flow, options),
    settleParameters: (parameters) => settleParameters(parameters, options),
  };
}

function checkParameters(parameters: Parameters, flow: Flow, defaults: Defaults): string[] {
  const problems = [...parameterProblems(rules, parameters, flow), ...regionProblems(parameters, defaults)];
  if (parameters.driverSecretName) return problems;
  return [...problems, 'The parameter driverSecretName is missing: set it to the name of the Secret that has the keys'];
}
