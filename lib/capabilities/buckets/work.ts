import { keyNamed, resources } from '../../kubernetes/resources.ts';
import type { Reconsidered, Route } from '../../reconcile/routing.ts';
import type { BucketIndex } from './bucket-index.ts';

/** What is unfinished of the objects of buckets, by name: it depends on more than one object, and any of them may change last. */

export function workOfBucket(name: string, index: BucketIndex): Route[] {
  const bucket = index.bucket(name);
  if (!bucket) return [];
  const content = toContent(bucket.contentName);
  if (bucket.isGoing) return [toBinding(name), content];
  const binding = index.isBucketAtRest(name) ? [] : [toBinding(name)];
  return [...binding, ...copyingOf(name, index), ...(bucket.lacksSource ? [content] : [])];
}

/** What is in a Secret is never known here: where all seems well, the step has a look with each list. */
function copyingOf(name: string, index: BucketIndex): Route[] {
  if (!index.hasCredentials(name)) return [];
  return [index.isCopied(name) ? { ...toCopying(name), only: 'check' } : toCopying(name)];
}

export function workOfContent(name: string, index: BucketIndex): Route[] {
  const content = index.content(name);
  return !content || index.isContentAtRest(name) ? [] : [toContent(name), toBinding(content.bucket)];
}

/** A class that names a driver is the first sign that the driver is needed. */
export function workOfClass(driver: string | undefined, index: BucketIndex): Route[] {
  return driver && !index.drivers.isRegistered(driver) ? [toRegistration(driver)] : [];
}

/** Whose registration it is, only the step knows. */
export function workOfRegistration(driver: string, index: BucketIndex): Route[] {
  return [index.drivers.isRegistered(driver) ? { ...toRegistration(driver), only: 'check' } : toRegistration(driver)];
}

export function bucketNow(name: string, index: BucketIndex): Reconsidered {
  const key = keyNamed(name);
  return { resource: resources.bucket, key, owner: key.namespace, routes: workOfBucket(name, index) };
}

export function contentNow(name: string, index: BucketIndex): Reconsidered {
  const owner = keyNamed(index.content(name)?.bucket ?? '').namespace;
  return { resource: resources.bucketContent, key: { name }, owner, routes: workOfContent(name, index) };
}

export function classNow(name: string, driver: string, index: BucketIndex): Reconsidered {
  return { resource: resources.bucketClass, key: { name }, routes: workOfClass(driver, index) };
}

export function toBinding(bucket: string): Route {
  return { function: 'bind-bucket', resource: resources.bucket, key: keyNamed(bucket) };
}

export function toCopying(bucket: string): Route {
  return { function: 'copy-secret', resource: resources.bucket, key: keyNamed(bucket) };
}

export function toContent(name: string): Route {
  return { function: 'provision-bucket', resource: resources.bucketContent, key: { name } };
}

export function toRegistration(name: string): Route {
  return { function: 'register-driver', resource: resources.registration, key: { name } };
}
