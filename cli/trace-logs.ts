import { capabilities } from '../lib/capabilities/index.ts';
import type { Resource } from '../lib/kubernetes/resource.ts';
import type { Deployment } from '../lib/recovery/deployment/deployment.ts';
import type { LogReading, ReadLogPage } from '../lib/recovery/timeline/of-logs.ts';
import { openFunctionLogs } from './function-logs.ts';

/** AWS answers few such questions a second, and asks to be asked again. */
const maxAttempts = 8;

interface Range {
  from: Date;
  to: Date;
}

/** The logs of the functions to whom such objects may lead. */
export async function openLogs(
  { name: stack, queues }: Deployment,
  resource: Resource,
  { from, to }: Range,
): Promise<Pick<LogReading, 'functions' | 'readPage'> & { close: () => void }> {
  const { read, close } = await openFunctionLogs({ maxAttempts });
  const readPage: ReadLogPage = async (functionName, text, nextToken) => {
    const { events = [], nextToken: next } = await read({
      logGroupName: `/aws/lambda/${stack}-${functionName}`,
      startTime: from.getTime(),
      endTime: to.getTime(),
      filterPattern: `"${text}"`,
      nextToken,
    });
    return { lines: events.map(({ message = '' }) => message), next };
  };
  return { functions: functionsFor(resource, Object.keys(queues)), readPage, close };
}

/** Events of the cloud lead to objects as well, by functions that no capability names. */
function functionsFor(resource: Resource, deployed: readonly string[]): string[] {
  const others = capabilities.filter(({ resources }) => !resources.includes(resource));
  const concerned = capabilities.filter(({ resources }) => resources.includes(resource));
  const idle = others.flatMap(({ functions }) => functions);
  const busy = concerned.flatMap(({ functions }) => functions);
  return deployed.filter((name) => busy.includes(name) || !idle.includes(name));
}
