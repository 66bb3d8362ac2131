import { readFile } from 'node:fs/promises';

export interface CallCounts {
  objectWrites: number;
  events: number;
  reads: number;
}

interface AuditEntry {
  verb: string;
  user: { username: string };
  objectRef?: { resource?: string };
}

const writes = ['create', 'update', 'patch', 'delete'];

/** Counts the functions' requests to the API server, from the server's own audit log. */
export async function countCalls(auditLogPath: string, functionNames: string[]): Promise<CallCounts> {
  const users = functionNames.map((name) => `system:serviceaccount:longshore-system:${name}`);
  const lines = (await readFile(auditLogPath, 'utf8')).split('\n').filter((line) => line !== '');
  const entries = lines
    .map((line) => JSON.parse(line) as AuditEntry)
    .filter(({ user }) => users.includes(user.username));
  const isWrite = ({ verb }: AuditEntry) => writes.includes(verb);
  const isEvent = ({ objectRef }: AuditEntry) => objectRef?.resource === 'events';
  return {
    objectWrites: entries.filter((entry) => isWrite(entry) && !isEvent(entry)).length,
    events: entries.filter((entry) => isWrite(entry) && isEvent(entry)).length,
    reads: entries.filter((entry) => !isWrite(entry)).length,
  };
}
