import type { ChangeTrace } from '../../../../runtime/tracing.ts';
import type { Parameters } from '../driver.ts';
import { type Call, type Clock, callUntil, type Effects } from './call.ts';
import { type Clients, type Connect, type Defaults, type Settings, settingsOf } from './connection-settings.ts';

/** The store of one call of the driver. */
export interface Store extends Clients {
  settings: Settings;
  call: Call;
  /** The time until the deadline, in milliseconds. */
  remaining: () => number;
}

export interface StoreOptions {
  connect: Connect;
  defaults: Defaults;
  clock: Clock;
}

export interface About {
  parameters: Parameters;
  secrets: Parameters;
  deadline: number;
  change?: ChangeTrace;
}

export function openStore(
  { parameters, secrets, deadline, change }: About,
  options: StoreOptions,
  effects: Effects,
): Store {
  const { connect, defaults, clock } = options;
  const settings = settingsOf(parameters, secrets, defaults);
  return {
    ...connect(settings),
    settings,
    call: callUntil(deadline, clock, effects, change),
    remaining: () => deadline - clock(),
  };
}
