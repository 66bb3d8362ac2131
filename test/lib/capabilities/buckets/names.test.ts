import { describe, expect, test } from '@jest/globals';
import {
  contentNameOf,
  labelOf,
  labelsFor,
  prefixProblem,
  sourceSecretNameOf,
  storeNameOf,
} from '../../../../lib/capabilities/buckets/names.ts';
import { isLegalName } from '../../../../lib/kubernetes/resources.ts';
import * as stage from './bucket-stages.ts';

const hex = '0f8fad5bd9cb469fa16570867728950e';
const storeName = (bucketPrefix?: string) =>
  storeNameOf(stage.bucket({ spec: bucketPrefix === undefined ? {} : { bucketPrefix } }));
const ofClass = (bucketClassName: string) => contentNameOf(stage.bucket({ spec: { bucketClassName } }));

describe('the name of a bucket in the store', () => {
  test.each([
    ['', hex],
    ['photos-', `photos-${hex}`],
    ['YosemitePhotos-', `yosemitephotos-${hex}`],
    ['a_b.c d', `a-b-c-d${hex}`],
    ['--a', `a${hex}`],
    ['_a', `a${hex}`],
    ['x'.repeat(40), `${'x'.repeat(31)}${hex}`],
  ])('with the prefix %j is %s', (prefix, name) => {
    expect(storeName(prefix)).toBe(name);
    expect(name).toMatch(/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/);
  });

  test('is never longer than a store allows', () => {
    expect(storeName('x'.repeat(31))).toHaveLength(63);
  });

  test("is another Bucket's name for nobody", () => {
    const other = stage.bucket({ metadata: { uid: '0f8fad5b-d9cb-469f-a165-70867728950f' } });
    expect(storeNameOf(other)).not.toBe(storeName('photos-'));
  });
});

describe('a prefix', () => {
  test.each(['xn--', 'XN--a', '-xn--', 'sthree-', 'Sthree-configurator-', 'amzn-s3-demo-', 'amzn_s3.demo-'])(
    '%j is reserved',
    (prefix) => {
      expect(prefixProblem(prefix)).toContain('which S3 reserves');
    },
  );

  test.each(['***', '-', '___', 'äöü'])('%j has nothing in it that is legal', (prefix) => {
    expect(prefixProblem(prefix)).toContain('no letter or digit');
  });

  test.each([undefined, '', 'photos-', 'xn-', 'sthree', 'my-sthree-', 'Äpfel'])('%j will do', (prefix) => {
    expect(prefixProblem(prefix)).toBeUndefined();
  });
});

describe('the name of a content', () => {
  test('begins with the class and is the same each time', () => {
    expect([ofClass('fast'), ofClass('fast')]).toEqual([stage.contentName, stage.contentName]);
  });

  test.each(['a'.repeat(253), `${'a'.repeat(199)}.b`, `${'a.'.repeat(100)}b`])(
    'is legal whatever the class is called',
    (name) => {
      expect(isLegalName(ofClass(name))).toBe(true);
    },
  );
});

test('the Secret of a content is named after its uid, so that a content made anew has another one', () => {
  expect(sourceSecretNameOf(stage.content())).toBe(stage.sourceName);
  expect(sourceSecretNameOf(stage.content({ metadata: { uid: 'uid-anew' } }))).not.toBe(stage.sourceName);
});

describe('the label of a driver', () => {
  test.each([
    ['s3.example.com', 's3.example.com'],
    ['s3/example:com', 's3-example-com'],
    ['-s3-', 's3'],
    ['x'.repeat(70), 'x'.repeat(63)],
    [`${'x'.repeat(62)}.com`, 'x'.repeat(62)],
  ])('%s is %s', (provisioner, label) => {
    expect(labelOf(provisioner)).toBe(label);
    expect(label).toMatch(/^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/);
  });

  test('is left out where there is none', () => {
    expect([labelsFor(undefined), labelsFor('s3')]).toEqual([{}, { 'cosi.io/provisioner': 's3' }]);
  });
});
