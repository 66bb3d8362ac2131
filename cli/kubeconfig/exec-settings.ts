import { isAbsolute, join } from 'node:path';
import { type Fields, isFields } from './read-kubeconfigs.ts';

/** The program of a user that prints credentials. */
export interface ExecSettings {
  apiVersion: string;
  command: string;
  args: readonly string[];
  environment: Readonly<Record<string, string>>;
  installHint: string | undefined;
  providesClusterInfo: boolean;
}

const apiVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

export function readExec(given: unknown, folder: string, refuse: (problem: string) => Error): ExecSettings {
  if (!isFields(given)) throw refuse("its user's exec is not an object");
  const { apiVersion, command, args, env, installHint, interactiveMode, provideClusterInfo } = given;
  if (typeof command !== 'string' || command === '') throw refuse("its user's exec has no command");
  if (typeof apiVersion !== 'string' || !apiVersions.includes(apiVersion)) {
    const known = apiVersions.join(' or ');
    throw refuse(`its user's exec has the apiVersion ${JSON.stringify(apiVersion)}, but must have ${known}`);
  }
  if (interactiveMode === 'Always') {
    throw refuse(`${command} wants to ask at a terminal (interactiveMode Always), but this process goes on unattended`);
  }
  return {
    apiVersion,
    // As for kubectl: a path is relative to the kubeconfig, a mere name is looked for in PATH.
    command: /[\\/]/.test(command) && !isAbsolute(command) ? join(folder, command) : command,
    args: list(args).map(String),
    environment: Object.fromEntries(list(env).filter(isFields).map(variable)),
    installHint: typeof installHint === 'string' && installHint !== '' ? installHint : undefined,
    providesClusterInfo: provideClusterInfo === true,
  };
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function variable({ name, value }: Fields): [string, string] {
  return [String(name), String(value ?? '')];
}
