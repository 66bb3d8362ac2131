import { type Choices, choicesAnnotation, choicesOn, hasChoices } from '../../lib/install/choices.ts';
import type { AnyObject } from '../../lib/install/installable.ts';
import { systemNamespace } from '../../lib/install/kinds.ts';
import { isNewer, isOurs, ourSelector, versionOf } from '../../lib/install/labels.ts';
import { definitionsPath } from '../../lib/install/server.ts';
import { ClusterError, isClusterError } from '../../lib/kubernetes/errors.ts';
import type { ClusterApi } from '../connect/cluster-api.ts';
import { printable } from '../terminal/printable.ts';
import { type Finding, problem, warning } from './finding.ts';

/** What `longshore install` has installed, as far as the cluster says so. */
export interface Installation {
  /** What was left out on purpose is not looked for. */
  choices: Choices;
  /** Somebody has chosen. Otherwise it was installed by other means, and these are the defaults. */
  isChosen: boolean;
  /** It is of a later release than this command, which cannot tell what that one needs. */
  isNewer: boolean;
  findings: Finding[];
}

const subject = 'installation';

type Reader = Pick<ClusterApi, 'get' | 'list'>;

export async function readInstallation(api: Reader, version: string): Promise<Installation> {
  const [namespace, definitions] = await Promise.all([
    unlessRefused(() => api.get<AnyObject>(`/api/v1/namespaces/${systemNamespace}`)),
    unlessRefused(() => api.list<AnyObject>(definitionsPath, { labelSelector: ourSelector })),
  ]);
  const present = namespace instanceof ClusterError ? undefined : namespace;
  const defined = definitions instanceof ClusterError ? [] : (definitions ?? []);
  const ours = [...(present && isOurs(present) ? [present] : []), ...defined];
  const newest = ours
    .map((each) => versionOf(each) ?? '0')
    .reduce((one, other) => (isNewer(other, one) ? other : one), '0');
  const isLost = !(namespace instanceof ClusterError) && ours.length > 0 && !hasChoices(present);
  return {
    choices: choicesOn(present),
    isChosen: hasChoices(present),
    isNewer: isNewer(newest, version),
    findings: [
      ...(namespace instanceof ClusterError ? [unreadFinding(namespace)] : []),
      ...(isNewer(newest, version) ? [newerFinding(newest, version)] : []),
      ...(isLost ? [lostFinding] : []),
    ],
  };
}

function unreadFinding({ message }: ClusterError): Finding {
  return warning(subject, `what was chosen cannot be read, so everything is looked for: ${printable(message)}`);
}

/** Installing would be a step back. */
function newerFinding(newest: string, version: string): Finding {
  const found = printable(newest);
  const detail = `release ${found} is installed, and this command is older (${version}): it cannot tell what that release needs. Update the command`;
  return problem(subject, detail, `npm install --global longshore@${found}`);
}

const lostFinding = warning(
  subject,
  `namespace ${systemNamespace} has lost what was chosen (annotation ${choicesAnnotation}): everything is looked for`,
  'longshore install --dry-run',
);

async function unlessRefused<T>(read: () => Promise<T>): Promise<T | ClusterError> {
  try {
    return await read();
  } catch (error) {
    if (isClusterError(error)) return error;
    throw error;
  }
}
