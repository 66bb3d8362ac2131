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

/** A block of serverless.yml: the fields of osls, and Longshore's own. */
export interface FunctionBlock {
  /** Megabytes, if not those of the provider. */
  memorySize?: number | string;
  timeout?: number | string;
  role?: unknown;
  package?: { artifact: string };
  environment?: Record<string, unknown>;
  events?: FunctionEvent[];
  reservedConcurrency?: number;
  /** The parameter `capabilities` decides if the function is deployed; without this it always is. */
  capability?: string;
  /** The functions to whose queues it sends: it gets their URLs and the permission. */
  sendsTo?: string[];
  /** It may read the depths of the queues that it sends to. */
  queueDepths?: 'read';
  /** It writes segments of the archive, or replays them and stores its progress beside them. */
  archive?: 'write' | 'replay';
  /** True if it has credentials of clusters (default true). */
  clusters?: boolean;
  /** Permissions of its role besides those of every function's role. */
  may?: Statement[];
  /** The EventBridge rules that feed its queue. */
  rules?: Record<string, EventRule>;
}

export interface FunctionEvent {
  sqs?: { arn: { 'Fn::GetAtt': [string, 'Arn'] }; maximumConcurrency?: number | string; enabled?: boolean };
  schedule?: string | { rate: string[]; input?: object };
}

export interface EventRule {
  readonly name: string;
  readonly description: string;
  readonly pattern: object;
  /** The message group: its messages are processed one after the other. */
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
  /** Properties for resources that osls generates. */
  extensions: Record<string, { Properties: Record<string, unknown> }>;
}

/** The prefix of the names of a function's resources: MatchTransfer for match-transfer. */
export function prefixOf(functionName: string): string {
  return functionName.replaceAll(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
}

/** The prefix of the resources that osls generates for a function: MatchDashtransfer for match-transfer. */
export function prefixByServerless(functionName: string): string {
  const name = functionName.replaceAll('-', 'Dash');
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** The queue that feeds a function, as its block names it. */
export function queueOf({ events = [] }: FunctionBlock): string | undefined {
  return events.flatMap(({ sqs }) => (sqs ? [sqs.arn['Fn::GetAtt'][0]] : []))[0];
}

export const deadLetterQueueOf = (queue: string): string => queue.replace(/Queue$/, 'DeadLetterQueue');

/** The queue for events that EventBridge could not deliver to a function's queue. */
export const undeliveredName = (deployment: string): string => `${deployment}-undelivered-events`;

/** True if its own block grants sending, besides `sendsTo`. */
export function maySend({ may = [] }: FunctionBlock): boolean {
  return may.some(({ Action }) => [Action].flat().some((action) => action.startsWith('sqs:SendMessage')));
}
