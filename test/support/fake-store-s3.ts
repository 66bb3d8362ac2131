import * as s3 from '@aws-sdk/client-s3';
import type { FakeBuckets, FakeVersion } from './fake-store-buckets.ts';
import { FakeStoreError } from './fake-store-error.ts';

/** Whether the store knows tags in the call that makes a bucket; some take them and do nothing. */
export interface S3Abilities {
  tagsWithBucket: boolean;
}

/** What S3 answers to a command that is sent to a region. */
export function answerS3(buckets: FakeBuckets, abilities: S3Abilities, region: string, command: object): object {
  return (
    answerAboutBuckets(buckets, abilities, region, command) ??
    answerAboutSettings(buckets, region, command) ??
    answerAboutContents(buckets, region, command) ??
    unknown(command)
  );
}

function answerAboutBuckets(
  buckets: FakeBuckets,
  { tagsWithBucket }: S3Abilities,
  region: string,
  command: object,
): object | undefined {
  if (command instanceof s3.CreateBucketCommand) {
    const { Bucket = '', CreateBucketConfiguration: { LocationConstraint, Tags = [] } = {} } = command.input;
    buckets.create(Bucket, region, LocationConstraint, tagsWithBucket ? Tags : []);
    return { Location: `/${Bucket}` };
  }
  if (command instanceof s3.HeadBucketCommand) {
    return { BucketRegion: buckets.reach(command.input.Bucket, region, false).region };
  }
  if (command instanceof s3.DeleteBucketCommand) {
    buckets.delete(buckets.reach(command.input.Bucket, region));
    return {};
  }
  return undefined;
}

function answerAboutSettings(buckets: FakeBuckets, region: string, command: object): object | undefined {
  const reach = ({ Bucket }: { Bucket?: string | undefined }) => buckets.reach(Bucket, region);
  if (command instanceof s3.GetBucketTaggingCommand) {
    const { tags } = reach(command.input);
    if (tags.length === 0) throw new FakeStoreError(404, 'NoSuchTagSet');
    return { TagSet: tags };
  }
  if (command instanceof s3.PutBucketTaggingCommand) {
    reach(command.input).tags = command.input.Tagging?.TagSet ?? [];
  } else if (command instanceof s3.PutBucketVersioningCommand) {
    reach(command.input).isVersioned = command.input.VersioningConfiguration?.Status === 'Enabled';
  } else if (command instanceof s3.PutBucketEncryptionCommand) {
    const [rule] = command.input.ServerSideEncryptionConfiguration?.Rules ?? [];
    reach(command.input).encryption = rule?.ApplyServerSideEncryptionByDefault?.SSEAlgorithm;
  } else if (command instanceof s3.PutBucketLifecycleConfigurationCommand) {
    reach(command.input).expireDays = command.input.LifecycleConfiguration?.Rules?.[0]?.Expiration?.Days;
  } else if (command instanceof s3.PutPublicAccessBlockCommand) {
    reach(command.input).blocksPublicAccess = command.input.PublicAccessBlockConfiguration?.BlockPublicPolicy === true;
  } else return undefined;
  return {};
}

const mostAtOnce = 1_000;

function answerAboutContents(buckets: FakeBuckets, region: string, command: object): object | undefined {
  if (command instanceof s3.ListObjectVersionsCommand) {
    const { Bucket, MaxKeys = mostAtOnce } = command.input;
    const page = buckets.reach(Bucket, region).versions.slice(0, Math.min(MaxKeys, mostAtOnce));
    const shown = (isMarker: boolean) => page.filter((version) => version.isMarker === isMarker).map(show);
    return { Versions: shown(false), DeleteMarkers: shown(true) };
  }
  if (command instanceof s3.DeleteObjectsCommand) {
    const { Objects = [] } = command.input.Delete ?? {};
    if (Objects.length === 0 || Objects.length > mostAtOnce) throw new FakeStoreError(400, 'MalformedXML');
    const bucket = buckets.reach(command.input.Bucket, region);
    const asked = new Set(Objects.map(({ Key, VersionId }) => `${Key}\n${VersionId}`));
    const isAsked = ({ key, id }: FakeVersion) => asked.has(`${key}\n${id}`);
    const kept = bucket.versions.filter((version) => isAsked(version) && bucket.locked.has(version.id));
    bucket.versions = bucket.versions.filter((version) => !isAsked(version) || kept.includes(version));
    return { Errors: kept.map((version) => ({ ...show(version), Code: 'AccessDenied', Message: 'locked' })) };
  }
  if (command instanceof s3.ListMultipartUploadsCommand) {
    const { Bucket, MaxUploads = mostAtOnce } = command.input;
    const { uploads } = buckets.reach(Bucket, region);
    return { Uploads: uploads.slice(0, MaxUploads).map(({ key, id }) => ({ Key: key, UploadId: id })) };
  }
  if (command instanceof s3.AbortMultipartUploadCommand) {
    const bucket = buckets.reach(command.input.Bucket, region);
    const others = bucket.uploads.filter(({ id }) => id !== command.input.UploadId);
    if (others.length === bucket.uploads.length) throw new FakeStoreError(404, 'NoSuchUpload');
    bucket.uploads = others;
    return {};
  }
  return undefined;
}

function show({ key, id }: FakeVersion): s3.ObjectVersion {
  return { Key: key, VersionId: id };
}

function unknown(command: object): never {
  throw new Error(`the fake store does not know ${command.constructor.name}`);
}
