/** What stands wherever a secret could be, so that it is seen wherever it gets to. */
export const secret = 'Xq7Zr2WxPb0LkVn5';
export const encodedSecret = Buffer.from(secret).toString('base64');

interface Marked {
  kind: string;
  metadata: object;
}

/** An object with secrets in all that is somebody's own; a Secret has nothing but secrets that a program could use. */
export function marked<T extends Marked>(object: T): T {
  const fields = { ...object } as Marked & { spec?: object; status?: object; data?: Record<string, string> };
  const own = { annotations: { 'example.com/note': secret }, labels: { 'example.com/note': secret } };
  const metadata = { ...merged(own, fields.metadata), managedFields: [{ manager: secret }] };
  return {
    ...fields,
    metadata,
    ...(fields.spec ? { spec: { ...fields.spec, note: secret } } : {}),
    ...(fields.status ? { status: { ...fields.status, note: secret } } : {}),
    ...(fields.kind === 'Secret' ? { data: { ...fields.data, ...keys } } : {}),
    ...(fields.kind === 'ConfigMap' ? { data: { ...fields.data, note: secret } } : {}),
  } as unknown as T;
}

const keys = {
  AWS_SECRET_ACCESS_KEY: encodedSecret,
  AWS_SESSION_TOKEN: encodedSecret,
  CONSUMER_SECRET_ACCESS_KEY: encodedSecret,
  password: encodedSecret,
};

function merged(own: Record<string, object>, metadata: object): object {
  const given = metadata as Record<string, object | undefined>;
  const both = Object.entries(own).map(([field, value]) => [field, { ...value, ...given[field] }]);
  return { ...metadata, ...Object.fromEntries(both) };
}

/** What of a text no one may read, in any form in which it is carried: the beginning of a secret is too much already. */
export function secretsIn(text: string): string[] {
  const forms = [secret, encodedSecret, Buffer.from(secret).toString('hex')];
  return forms.filter((each) => text.includes(each.slice(0, 8)));
}
