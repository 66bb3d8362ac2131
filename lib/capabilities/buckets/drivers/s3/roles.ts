import {
  CreateRoleCommand,
  DeleteRoleCommand,
  DeleteRolePolicyCommand,
  GetRoleCommand,
  ListRolePoliciesCommand,
  ListRolesCommand,
  PutRolePolicyCommand,
} from '@aws-sdk/client-iam';
import { ignoring } from './call.ts';
import type { PrincipalSpec, Principals } from './principal.ts';
import type { Store } from './store.ts';

const gone = ['NoSuchEntity'];

/** Consumers without keys: the cluster vouches for their service accounts. `trust` names the trusted ones. */
export function rolesOf({ iam, call }: Store, trust: string): Principals {
  return {
    kind: 'role',
    attachments: 'managed policies and instance profiles',
    create: ({ name, path, tags, boundary }: PrincipalSpec) => {
      const named = { RoleName: name, Path: path, Tags: tags, AssumeRolePolicyDocument: trust };
      const command = new CreateRoleCommand(boundary ? { ...named, PermissionsBoundary: boundary } : named);
      return call('iam:CreateRole with iam:TagRole', (options) => iam.send(command, options));
    },
    find: async (RoleName) => {
      const reading = call('iam:GetRole', (options) => iam.send(new GetRoleCommand({ RoleName }), options));
      const role = (await ignoring(gone, reading))?.Role;
      return role && { tags: role.Tags ?? [], path: role.Path };
    },
    list: async (PathPrefix, Marker) => {
      const command = new ListRolesCommand(Marker ? { PathPrefix, Marker } : { PathPrefix });
      const { Roles = [], Marker: next } = await call('iam:ListRoles', (options) => iam.send(command, options));
      return {
        found: Roles.map(({ RoleName = '', CreateDate }) => ({ name: RoleName, madeAt: CreateDate?.getTime() })),
        next,
      };
    },
    putPolicy: (RoleName, PolicyName, PolicyDocument) => {
      const command = new PutRolePolicyCommand({ RoleName, PolicyName, PolicyDocument });
      return call('iam:PutRolePolicy', (options) => iam.send(command, options));
    },
    listPolicies: async (RoleName) => {
      const command = new ListRolePoliciesCommand({ RoleName });
      const answer = await ignoring(
        gone,
        call('iam:ListRolePolicies', (options) => iam.send(command, options)),
      );
      return answer?.PolicyNames ?? [];
    },
    deletePolicy: (RoleName, PolicyName) => {
      const command = new DeleteRolePolicyCommand({ RoleName, PolicyName });
      return ignoring(
        gone,
        call('iam:DeleteRolePolicy', (options) => iam.send(command, options)),
      );
    },
    listKeys: async () => [],
    deleteKeys: async () => {},
    delete: (RoleName) => {
      const command = new DeleteRoleCommand({ RoleName });
      return ignoring(
        gone,
        call('iam:DeleteRole', (options) => iam.send(command, options)),
      );
    },
  };
}

/** The ARN of a role, with which the application's SDK assumes it. */
export async function arnOfRole({ iam, call }: Store, RoleName: string): Promise<string> {
  const { Role } = await call('iam:GetRole', (options) => iam.send(new GetRoleCommand({ RoleName }), options));
  if (!Role?.Arn) throw new Error(`IAM reports no ARN for the role ${RoleName}`);
  return Role.Arn;
}
