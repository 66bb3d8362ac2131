import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';

/** A workload that knows nothing of Longshore: all that it has is its environment. */
const Bucket = process.env.BUCKET_NAME;
const client = new S3Client();
await client.send(new PutObjectCommand({ Bucket, Key: 'greeting', Body: 'hello' }));
const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: 'greeting' }));
console.log(JSON.stringify({ keys: Contents.map(({ Key }) => Key), greeting: await Body?.transformToString() }));
