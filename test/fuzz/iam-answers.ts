import type { Called } from './stand-in-aws.ts';

/** The one user that the store has: nobody owns it any more. */
export const orphan = 'cosi-00000000000000000000000000000001';
const owner = '00000000-0000-0000-0000-000000000001';

const user = (tags: string) =>
  `<UserName>${orphan}</UserName><Path>/longshore/fuzz/</Path><UserId>AIDAEXAMPLE</UserId>` +
  `<Arn>arn:aws:iam::111122223333:user/longshore/fuzz/${orphan}</Arn><CreateDate>2026-01-01T00:00:00Z</CreateDate>${tags}`;
const tag = (key: string, value: string) => `<member><Key>longshore.dev/${key}</Key><Value>${value}</Value></member>`;

const results: Record<string, string> = {
  ListUsers: `<Users><member>${user('')}</member></Users><IsTruncated>false</IsTruncated>`,
  ListRoles: '<Roles></Roles><IsTruncated>false</IsTruncated>',
  GetUser: `<User>${user(`<Tags>${tag('owner', owner)}${tag('cluster', 'main')}</Tags>`)}</User>`,
  ListAccessKeys: '<AccessKeyMetadata></AccessKeyMetadata><IsTruncated>false</IsTruncated>',
  ListUserPolicies: '<PolicyNames></PolicyNames><IsTruncated>false</IsTruncated>',
};

export function answerOfIam({ action }: Pick<Called, 'action'>): string {
  return `<${action}Response><${action}Result>${results[action] ?? ''}</${action}Result></${action}Response>`;
}
