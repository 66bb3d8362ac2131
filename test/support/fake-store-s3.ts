import * as s3 from '@aws-sdk/client-s3';
import { type FakeBuckets, type FakeVersion, versionName } from './fake-store-buckets.ts';
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
    answerAboutDeletion(buckets, region, command) ??
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
  if (command instanceof s3.ListBucketsCommand) {
    const own = buckets.all().filter(({ isAnotherAccounts }) => !isAnotherAccounts);
    const shown = own.map((each) => ({ Name: each.name, BucketRegion: each.region, CreationDate: each.madeAt }));
    return { Buckets: shown };
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

const maxAtOnce = 1_000;

function answerAboutContents(buckets: FakeBuckets, region: string, command: object): object | undefined {
  if (command instanceof s3.ListObjectVersionsCommand) {
    const { Bucket, MaxKeys = maxAtOnce } = command.input;
    const page = buckets.reach(Bucket, region).versions.slice(0, Math.min(MaxKeys, maxAtOnce));
    const shown = (isMarker: boolean) =>
      page.filter((version) => version.isMarker === isMarker).map((version) => listed(version, command.input));
    return { Versions: shown(false), DeleteMarkers: shown(true), EncodingType: command.input.EncodingType };
  }
  if (command instanceof s3.ListMultipartUploadsCommand) {
    const { Bucket, MaxUploads = maxAtOnce } = command.input;
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

function answerAboutDeletion(buckets: FakeBuckets, region: string, command: object): object | undefined {
  if (command instanceof s3.DeleteObjectCommand) {
    const { Bucket, Key, VersionId } = command.input;
    const bucket = buckets.reach(Bucket, region);
    if (buckets.remove(bucket, new Set([versionName(Key, VersionId)])).length > 0) {
      throw new FakeStoreError(403, 'AccessDenied', 'locked');
    }
    return {};
  }
  if (!(command instanceof s3.DeleteObjectsCommand)) return undefined;
  const { Objects = [], Quiet = false } = command.input.Delete ?? {};
  if (Objects.length === 0 || Objects.length > maxAtOnce || Objects.some(isIllegal)) {
    throw new FakeStoreError(400, 'MalformedXML');
  }
  const asked = new Set(Objects.map(({ Key, VersionId }) => versionName(Key, VersionId)));
  const kept = buckets.remove(buckets.reach(command.input.Bucket, region), asked);
  const names = new Set(kept.map(({ key, id }) => versionName(key, id)));
  return {
    Deleted: Quiet ? [] : Objects.filter(({ Key, VersionId }) => !names.has(versionName(Key, VersionId))),
    Errors: kept.map(({ key, id }) => ({ Key: key, VersionId: id, Code: 'AccessDenied', Message: 'locked' })),
  };
}

/** What XML 1.0 does not have at all. */
function isIllegal({ Key = '' }: s3.ObjectIdentifier): boolean {
  return /(?![\t\n\r])[\p{Cc}\p{Cs}\uFFFE\uFFFF](?<![\x7F-\x9F])/u.test(Key);
}

/** As S3 writes keys where it is asked to; where it is not, the client cannot read some of them. */
function listed({ key, id }: FakeVersion, { EncodingType }: s3.ListObjectVersionsRequest): s3.ObjectVersion {
  const encoded = encodeURIComponent(key).replaceAll('%20', '+').replaceAll('%2F', '/');
  return { Key: EncodingType === 'url' ? encoded : key, VersionId: id };
}

function unknown(command: object): never {
  throw new Error(`the fake store does not know ${command.constructor.name}`);
}
