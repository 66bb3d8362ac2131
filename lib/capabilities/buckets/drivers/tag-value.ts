/** The maximum length of a tag value in S3 and IAM. */
export const maxTagLength = 256;

/** Replaces all characters that tags of S3 and IAM cannot contain. */
export function toTagValue(value: string): string {
  return value.replaceAll(/[^\p{L}\p{N}\p{Z}_.:/=+\-@]/gu, '_').slice(0, maxTagLength);
}
