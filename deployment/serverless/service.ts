import type { Statement } from './statements.ts';

/** The parts of a service that are read and completed here; its variables are resolved by then. */
export interface Service {
  readonly service: string;
  readonly custom: { readonly maxReceives: number };
  readonly provider: {
    environment?: Record<string, unknown>;
    kmsKeyArn?: unknown;
    vpc?: { subnetIds: readonly string[]; securityGroupIds: readonly string[] };
  };
  functions: Record<string, FunctionBlock>;
  resources?: Partial<Resources>;
}

/** A block of serverless.yml: what osls knows, and the fields that are Longshore's. */
export interface FunctionBlock {
  timeout?: number;
  role?: unknown;
  package?: { artifact: string };
  environment?: Record<string, unknown>;
  events?: FunctionEvent[];
  reservedConcurrency?: number;
  /** The parameter `capabilities` decides whether the function is there; without this it always is. */
  capability?: string;
  /** To whose queues it sends: it is told where they are, and may. */
  sendsTo?: string[];
  /** Whether it may ask how much waits on the queues that it sends to. */
  queueDepths?: 'read';
  /** Whether it writes segments of the archive, or replays them and keeps how far it has come beside them. */
  archive?: 'write' | 'replay';
  /** Whether it has credentials of clusters; it does, unless it says not. */
  clusters?: boolean;
  /** What its role may beside what each function's role may. */
  may?: Statement[];
  /** What of EventBridge comes to its queue. */
  rules?: Record<string, EventRule>;
}

export interface FunctionEvent {
  sqs?: { arn: { 'Fn::GetAtt': [string, 'Arn'] } };
  schedule?: unknown;
}

export interface EventRule {
  readonly name: string;
  readonly description: string;
  readonly pattern: object;
  /** Which messages in the queue are worked on one after the other. */
  readonly group: string;
}

export interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
  DependsOn?: readonly string[];
  DeletionPolicy?: 'RetainExceptOnCreate';
  UpdateReplacePolicy?: 'Retain';
}

export interface Output {
  Description?: string;
  Value: unknown;
  Export?: { Name: string };
}

export interface Resources {
  Resources: Record<string, Resource>;
  Outputs: Record<string, Output>;
  /** Properties of what osls makes by itself. */
  extensions: Record<string, { Properties: Record<string, unknown> }>;
}

/** The beginning of the names of a function's resources: MatchTransfer, of match-transfer. */
export function prefixOf(functionName: string): string {
  return functionName.replaceAll(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
}

/** What osls calls the resources that it makes of a function: MatchDashtransfer, of match-transfer. */
export function prefixByServerless(functionName: string): string {
  const name = functionName.replaceAll('-', 'Dash');
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** The queue that feeds a function, as its block names it. */
export function queueOf({ events = [] }: FunctionBlock): string | undefined {
  return events.flatMap(({ sqs }) => (sqs ? [sqs.arn['Fn::GetAtt'][0]] : []))[0];
}

export const deadLetterQueueOf = (queue: string): string => queue.replace(/Queue$/, 'DeadLetterQueue');

/** The queue for what EventBridge could put on no queue of a function. */
export const undeliveredName = (deployment: string): string => `${deployment}-undelivered-events`;

/** Whether it sends by what its block adds to its role, and not only to the queues of others. */
export function maySend({ may = [] }: FunctionBlock): boolean {
  return may.some(({ Action }) => [Action].flat().some((action) => action.startsWith('sqs:SendMessage')));
}
