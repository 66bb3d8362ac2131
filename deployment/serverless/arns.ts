import { list, Mistake, type Reader, shown } from './checks.ts';

const arnOf = (service: string) => new RegExp(`^arn:aws[a-z-]*:${service}:([a-z0-9-]+):\\d{12}:(.+)$`);
const ofKey = /^key\/[A-Za-z0-9-]+$/;
const keyArn = 'arn:aws:kms:<region>:<account>:key/<id>';

/** Whether there is a key of one's own for what is kept: none, one that is made, or one that is there. */
export const kmsKey: Reader<'off' | 'on' | `arn:${string}`> = (text, { region }) => {
  if (text === 'on' || text === 'off') return text;
  const [, place, resource = ''] = arnOf('kms').exec(text) ?? [];
  if (!ofKey.test(resource)) {
    throw new Mistake(`must be off, on, or the ARN of a key, but is ${shown(text)}`, keyArn);
  }
  // Queues and logs take keys of their own region only.
  if (place !== region) throw new Mistake(`is a key in ${place}, but this deployment is in ${region}`, keyArn);
  return text as `arn:${string}`;
};

export const formerKmsKeys = list(/^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[A-Za-z0-9-]+$/, 'ARN of a key', keyArn);

const topicArn = 'arn:aws:sns:<region>:<account>:<topic>';

export const alarmTopic: Reader<string | undefined> = (text, { region }) => {
  if (text === 'none') return undefined;
  const [, place, topic = ''] = arnOf('sns').exec(text) ?? [];
  if (!/^[A-Za-z0-9_-]+$/.test(topic)) {
    throw new Mistake(`must be none or the ARN of an SNS topic, but is ${shown(text)}`, topicArn);
  }
  if (place !== region) throw new Mistake(`is a topic in ${place}, but alarms are in ${region}`, topicArn);
  return text;
};

/** What limits all that drivers make; AWS has policies of its own that may do. */
export const permissionsBoundary: Reader<string | undefined> = (text) => {
  if (text === 'none') return undefined;
  if (/^arn:aws[a-z-]*:iam::(\d{12}|aws):policy\/\S+$/.test(text)) return text;
  throw new Mistake(
    `must be none or the ARN of a policy, but is ${shown(text)}`,
    'arn:aws:iam::<account>:policy/<name>',
  );
};

/** Users and roles; `*` stands for anything in their names. */
export const senders = list(
  /^arn:aws[a-z-]*:iam::\d{12}:(user|role)\/[\w+=,.@/*-]+$/,
  'ARN of a user or a role',
  'arn:aws:iam::<account>:role/<name>',
);
