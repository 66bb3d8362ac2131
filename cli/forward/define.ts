import type { Define } from '../define.ts';
import { readAddress } from '../forward-status.ts';
import { maxLeaseSeconds, minLeaseSeconds } from '../lease-bounds.ts';
import { seconds } from '../parse/duration.ts';

/** The forwarder of a deployment, as a process. */
export const defineForward: Define = (command) =>
  command
    .description(
      'Forwards the changes of every cluster in LONGSHORE_CLUSTERS until it is stopped. Of several processes, one is active.',
    )
    .option('--metrics <address:port>', 'serve /metrics, /healthz and /readyz at this address', (text: string) =>
      readAddress('metrics', text),
    )
    .option(
      '--lease-seconds <n>',
      `how long after the active process dies another one takes over: ${minLeaseSeconds}-${maxLeaseSeconds} (default: 15)`,
      seconds('--lease-seconds', { min: minLeaseSeconds, max: maxLeaseSeconds }),
    )
    .addHelpText('after', '\nExample:\n  longshore forward --metrics 127.0.0.1:9464')
    .action(async (options) => (await import('./forward.ts')).forward(options));
