import { capabilities } from '../../lib/capabilities/all-capabilities.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import type { Deployment } from '../../lib/recovery/deployment/deployment.ts';
import type { LogReading, ReadLogPage } from '../../lib/recovery/timeline/entries-of-logs.ts';
import { openFunctionLogs } from '../function-logs.ts';

/** AWS allows few such calls a second, and throttles the others. */
const maxAttempts = 8;

interface Range {
  from: Date;
  to: Date;
}

/** The logs of the functions that may concern objects of this kind. */
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
  return { functions: functionsAbout(resource, Object.keys(queues)), readPage, close };
}

/** AWS events also lead to objects, through functions that no capability names. */
function functionsAbout(resource: Resource, deployed: readonly string[]): string[] {
  const others = capabilities.filter(({ resources }) => !resources.includes(resource));
  const concerned = capabilities.filter(({ resources }) => resources.includes(resource));
  const unrelated = others.flatMap(({ functions }) => functions);
  const related = concerned.flatMap(({ functions }) => functions);
  return deployed.filter((name) => related.includes(name) || !unrelated.includes(name));
}
