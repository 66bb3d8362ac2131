/** No tag of S3 or IAM is longer. */
export const maxTagLength = 256;

/** A text as a tag can hold it: both S3 and IAM take these characters and no others. */
export function tagText(value: string): string {
  return value.replaceAll(/[^\p{L}\p{N}\p{Z}_.:/=+\-@]/gu, '_').slice(0, maxTagLength);
}
