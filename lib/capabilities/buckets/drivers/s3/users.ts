import {
  CreateUserCommand,
  DeleteUserCommand,
  DeleteUserPolicyCommand,
  GetUserCommand,
  ListUserPoliciesCommand,
  ListUsersCommand,
  PutUserPolicyCommand,
} from '@aws-sdk/client-iam';
import { deleteKeys, listKeys } from './access-keys.ts';
import { ignoring } from './call.ts';
import type { PrincipalSpec, Principals } from './principal.ts';
import type { Store } from './store.ts';

const gone = ['NoSuchEntity'];

/** Consumers with keys. */
export function usersOf(store: Store): Principals {
  const { iam, call } = store;
  return {
    kind: 'user',
    attachments:
      'managed policies, groups, login profile, MFA devices, SSH keys, signing certificates and service credentials',
    create: ({ name, path, tags, boundary }: PrincipalSpec) => {
      const named = { UserName: name, Path: path, Tags: tags };
      const command = new CreateUserCommand(boundary ? { ...named, PermissionsBoundary: boundary } : named);
      return call('iam:CreateUser with iam:TagUser', (options) => iam.send(command, options));
    },
    find: async (UserName) => {
      const reading = call('iam:GetUser', (options) => iam.send(new GetUserCommand({ UserName }), options));
      const user = (await ignoring(gone, reading))?.User;
      return user && { tags: user.Tags ?? [], path: user.Path };
    },
    list: async (PathPrefix, Marker) => {
      const command = new ListUsersCommand(Marker ? { PathPrefix, Marker } : { PathPrefix });
      const { Users = [], Marker: next } = await call('iam:ListUsers', (options) => iam.send(command, options));
      return {
        found: Users.map(({ UserName = '', CreateDate }) => ({ name: UserName, madeAt: CreateDate?.getTime() })),
        next,
      };
    },
    putPolicy: (UserName, PolicyName, PolicyDocument) => {
      const command = new PutUserPolicyCommand({ UserName, PolicyName, PolicyDocument });
      return call('iam:PutUserPolicy', (options) => iam.send(command, options));
    },
    listPolicies: async (UserName) => {
      const command = new ListUserPoliciesCommand({ UserName });
      const answer = await ignoring(
        gone,
        call('iam:ListUserPolicies', (options) => iam.send(command, options)),
      );
      return answer?.PolicyNames ?? [];
    },
    deletePolicy: (UserName, PolicyName) => {
      const command = new DeleteUserPolicyCommand({ UserName, PolicyName });
      return ignoring(
        gone,
        call('iam:DeleteUserPolicy', (options) => iam.send(command, options)),
      );
    },
    listKeys: (name) => listKeys(store, name),
    deleteKeys: (name) => deleteKeys(store, name),
    delete: (UserName) => {
      const command = new DeleteUserCommand({ UserName });
      return ignoring(
        gone,
        call('iam:DeleteUser', (options) => iam.send(command, options)),
      );
    },
  };
}
