/** One place of the product that is made wrong: the fuzzing of the function has to notice. */
export interface Mutant {
  name: string;
  /** The function whose fuzzing is to notice it. */
  function: string;
  file: string;
  /** What stands there once, and what is to stand there instead. */
  before: string;
  after: string;
  /** How the fuzzing says what is wrong then. */
  found: RegExp;
}

export const mutants: readonly Mutant[] = [
  {
    name: 'names-unchecked',
    function: 'match-transfer',
    file: 'lib/kubernetes/resources.ts',
    before: 'export function isLegalName(name: string): boolean {',
    after: 'export function isLegalName(name: string): boolean { if (name) return true;',
    found: /made into a path|read what no message may lead to/,
  },
  {
    name: 'malformed-thrown',
    function: 'check-source',
    file: 'lib/reconcile/delivery.ts',
    before: 'log.failed(error, isLast);',
    after: 'throw error;',
    found: /failed the whole batch/,
  },
  {
    name: 'malformed-dropped',
    function: 'match-claim',
    file: 'lib/queue/received-batch.ts',
    before: "if (verdict === 'hopeless') hopeless.push(received);",
    after: '',
    found: /lost: /,
  },
  {
    name: 'malformed-stops-others',
    function: 'bind-bucket',
    file: 'lib/queue/received-batch.ts',
    before: "if (verdict !== 'retry') continue;",
    after: "if (verdict === 'done') continue;",
    found: /because of its neighbours/,
  },
  {
    name: 'json-unchecked',
    function: 'rebind-volume',
    file: 'lib/queue/envelope.ts',
    before: "if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {",
    after: 'if (parsed === undefined) {',
    found: /failed the whole batch/,
  },
  {
    name: 'kind-unchecked',
    function: 'copy-secret',
    file: 'lib/reconcile/reconcile-message.ts',
    before: 'if (resource.kind === step.resource.kind && resource.apiVersion === step.resource.apiVersion) {',
    after: 'if (resource.kind !== undefined) {',
    found: /lost: /,
  },
  {
    name: 'version-unchecked',
    function: 'populate-claim',
    file: 'lib/queue/envelope.ts',
    before: 'if (version > messageVersion)',
    after: 'if (version < 0)',
    found: /lost: /,
  },
  {
    name: 'later-version-stops-others',
    function: 'match-transfer',
    file: 'lib/reconcile/delivery.ts',
    before: ' || error instanceof LaterMessage',
    after: '',
    found: /because of its neighbours/,
  },
  {
    name: 'groups-unchecked',
    function: 'match-claim',
    file: 'lib/reconcile/reconcile-message.ts',
    before: 'requireOwnGroup(message, delivery.groupId);',
    after: '',
    found: /lost: /,
  },
  {
    name: 'unknown-cluster-is-the-first',
    function: 'register-driver',
    file: 'lib/kubernetes/clusters.ts',
    before: 'candidate.name === name);',
    after: 'candidate.name !== undefined);',
    found: /a metric of its own/,
  },
  {
    name: 'records-unchecked',
    function: 'provision-bucket',
    file: 'lib/queue/received-batch.ts',
    before: 'Array.isArray(records) && records.every(isObject)',
    after: 'Array.isArray(records)',
    found: /it fell over/,
  },
  {
    name: 'long-texts',
    function: 'match-approval',
    file: 'lib/queue/envelope.ts',
    before: 'const maxTextLength = 1_000;',
    after: 'const maxTextLength = 1_000_000;',
    found: /a line of the log has/,
  },
  {
    name: 'senders-unchecked',
    function: 'request-bucket',
    file: 'lib/capabilities/buckets/requests/requested-change.ts',
    before: 'each.source === source && isFrom(each, account)',
    after: 'each.source.length > 0',
    found: /it wrote what no event of the batch may ask for/,
  },
  {
    name: 'refusals-unburied',
    function: 'request-bucket',
    file: 'lib/capabilities/buckets/steps/request-bucket/requests.ts',
    before: 'await runtime.bury(',
    after: 'void (',
    found: /is nowhere/,
  },
  {
    name: 'depth-unminded',
    function: 'request-bucket',
    file: 'lib/runtime/quoted.ts',
    before: '} catch {',
    after: '} catch (error) { throw error;',
    found: /failed the whole batch/,
  },
  {
    name: 'removal-unchecked',
    function: 'sweep-buckets',
    file: 'lib/capabilities/buckets/steps/sweep-buckets/event.ts',
    before: 'Array.isArray(remove) && remove.every(isName)',
    after: 'remove !== null',
    found: /fell over|did not refuse|the log/,
  },
  {
    name: 'removal-by-part-of-the-name',
    function: 'sweep-buckets',
    file: 'lib/capabilities/buckets/steps/sweep-buckets/remove-named.ts',
    before: "each.name === name && each.verdict !== 'missing'",
    after: "name.includes(each.name.slice(5)) && each.verdict !== 'missing'",
    found: /it called iam: DeleteUser/,
  },
  {
    name: 'events-unchecked',
    function: 'forward',
    file: 'lib/runtime/invocation.ts',
    before: "typeof event === 'object' && !Array.isArray(event)",
    after: 'event !== undefined',
    found: /it did not refuse|and yet/,
  },
];
