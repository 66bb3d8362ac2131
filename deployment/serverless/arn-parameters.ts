import { InvalidParameter, invalid, list, reader } from './parameter-readers.ts';

const arnOf = (service: string) => new RegExp(`^arn:aws[a-z-]*:${service}:([a-z0-9-]+):\\d{12}:(.+)$`);
const ofKey = /^key\/[A-Za-z0-9-]+$/;
const keyArn = 'arn:aws:kms:<region>:<account>:key/<id>';

/** The KMS key for stored data: none, a new one, or an existing one. */
export const kmsKey = reader<'off' | 'on' | `arn:${string}`>(
  'off, on, or the ARN of a key',
  keyArn,
  (text, { region }) => {
    if (text === 'on' || text === 'off') return text;
    const [, place, resource = ''] = arnOf('kms').exec(text) ?? [];
    if (!ofKey.test(resource)) return invalid;
    // Queues and logs accept only keys of their own region.
    if (place !== region)
      throw new InvalidParameter(`is a key in ${place}, but this deployment is in ${region}`, keyArn);
    return text as `arn:${string}`;
  },
);

export const formerKmsKeys = list(
  /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[A-Za-z0-9-]+$/,
  ['ARN of a key', 'ARNs of keys'],
  keyArn,
);

const topicArn = 'arn:aws:sns:<region>:<account>:<topic>';

export const alarmTopic = reader('none or the ARN of an SNS topic', topicArn, (text, { region }) => {
  if (text === 'none') return undefined;
  const [, place, topic = ''] = arnOf('sns').exec(text) ?? [];
  if (!/^[A-Za-z0-9_-]+$/.test(topic)) return invalid;
  if (place !== region) throw new InvalidParameter(`is a topic in ${place}, but alarms are in ${region}`, topicArn);
  return text;
});

const policyArn = 'arn:aws:iam::<account>:policy/<name>';

/** The permissions boundary of all users and roles that drivers create; policies managed by AWS are accepted too. */
export const permissionsBoundary = reader('none or the ARN of a policy', policyArn, (text) => {
  if (text === 'none') return undefined;
  return /^arn:aws[a-z-]*:iam::(\d{12}|aws):policy\/\S+$/.test(text) ? text : invalid;
});

/** Users and roles; `*` matches anything in their names. */
export const senders = list(
  /^arn:aws[a-z-]*:iam::\d{12}:(user|role)\/[\w+=,.@/*-]+$/,
  ['ARN of a user or a role', 'ARNs of users and roles'],
  'arn:aws:iam::<account>:role/<name>',
);
