import * as iam from '@aws-sdk/client-iam';
import type { FakePrincipal, FakePrincipals } from './fake-store-principals.ts';

/** What IAM answers to a command. */
export function answerIam(users: FakePrincipals, roles: FakePrincipals, command: object): object {
  return (
    answerAboutUsers(users, command) ??
    answerAboutKeys(users, command) ??
    answerAboutRoles(roles, command) ??
    unknown(command)
  );
}

function answerAboutUsers(users: FakePrincipals, command: object): object | undefined {
  if (command instanceof iam.CreateUserCommand) {
    const { UserName = '', Path, Tags, PermissionsBoundary } = command.input;
    return { User: shownUser(users.create(UserName, { path: Path, tags: Tags, boundary: PermissionsBoundary })) };
  }
  if (command instanceof iam.GetUserCommand) return { User: shownUser(users.find(command.input.UserName)) };
  if (command instanceof iam.ListUsersCommand) {
    const { page, next } = users.list(command.input.PathPrefix, command.input.Marker);
    return { Users: page.map((each) => ({ ...shownUser(each), Tags: undefined })), Marker: next };
  }
  if (command instanceof iam.ListUserPoliciesCommand) {
    return { PolicyNames: [...users.find(command.input.UserName).policies.keys()] };
  }
  if (command instanceof iam.PutUserPolicyCommand) {
    const { UserName, PolicyName = '', PolicyDocument = '' } = command.input;
    users.putPolicy(UserName, PolicyName, PolicyDocument);
  } else if (command instanceof iam.DeleteUserPolicyCommand) {
    users.deletePolicy(command.input.UserName, command.input.PolicyName ?? '');
  } else if (command instanceof iam.DeleteUserCommand) users.delete(command.input.UserName);
  else return undefined;
  return {};
}

function answerAboutKeys(users: FakePrincipals, command: object): object | undefined {
  if (command instanceof iam.CreateAccessKeyCommand) {
    const { id, secret } = users.createKey(command.input.UserName);
    return { AccessKey: { AccessKeyId: id, SecretAccessKey: secret, Status: 'Active' } };
  }
  if (command instanceof iam.ListAccessKeysCommand) {
    const { keys } = users.find(command.input.UserName);
    const shown = keys.map(({ id, isActive, madeAt }) => {
      return { AccessKeyId: id, Status: isActive ? 'Active' : 'Inactive', CreateDate: madeAt };
    });
    return { AccessKeyMetadata: shown };
  }
  if (command instanceof iam.DeleteAccessKeyCommand) {
    users.deleteKey(command.input.UserName, command.input.AccessKeyId);
    return {};
  }
  return undefined;
}

function answerAboutRoles(roles: FakePrincipals, command: object): object | undefined {
  if (command instanceof iam.CreateRoleCommand) {
    const { RoleName = '', Path, Tags, PermissionsBoundary, AssumeRolePolicyDocument } = command.input;
    const wish = { path: Path, tags: Tags, boundary: PermissionsBoundary, trust: AssumeRolePolicyDocument };
    return { Role: shownRole(roles.create(RoleName, wish)) };
  }
  if (command instanceof iam.GetRoleCommand) return { Role: shownRole(roles.find(command.input.RoleName)) };
  if (command instanceof iam.ListRolesCommand) {
    const { page, next } = roles.list(command.input.PathPrefix, command.input.Marker);
    return { Roles: page.map((each) => ({ ...shownRole(each), Tags: undefined })), Marker: next };
  }
  if (command instanceof iam.ListRolePoliciesCommand) {
    return { PolicyNames: [...roles.find(command.input.RoleName).policies.keys()] };
  }
  if (command instanceof iam.PutRolePolicyCommand) {
    const { RoleName, PolicyName = '', PolicyDocument = '' } = command.input;
    roles.putPolicy(RoleName, PolicyName, PolicyDocument);
  } else if (command instanceof iam.DeleteRolePolicyCommand) {
    roles.deletePolicy(command.input.RoleName, command.input.PolicyName ?? '');
  } else if (command instanceof iam.DeleteRoleCommand) roles.delete(command.input.RoleName);
  else return undefined;
  return {};
}

function shownUser({ name, arn, path, tags, madeAt }: FakePrincipal): object {
  return { UserName: name, Arn: arn, Path: path, Tags: tags, CreateDate: madeAt };
}

function shownRole({ name, arn, path, tags, madeAt }: FakePrincipal): object {
  return { RoleName: name, Arn: arn, Path: path, Tags: tags, CreateDate: madeAt };
}

function unknown(command: object): never {
  throw new Error(`the fake store does not know ${command.constructor.name}`);
}
