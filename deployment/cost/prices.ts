/** List prices in US dollars, without discounts and without what is free for a new account or up to a limit. */
export interface Prices {
  /** Of AWS Lambda: for a gigabyte that a function has for a second, and for a million invocations. */
  readonly lambdaGigabyteSecond: Readonly<Record<'arm64' | 'x86_64', number>>;
  readonly lambdaMillionRequests: number;
  /** Of SQS: for a million calls to FIFO queues, with or without messages. */
  readonly sqsMillionFifoRequests: number;
  /** Of CloudWatch, for a month each. An alarm counts as one for each metric that it watches. */
  readonly alarmMetric: number;
  readonly highResolutionAlarmMetric: number;
  readonly compositeAlarm: number;
  readonly customMetric: number;
  readonly dashboard: number;
  /** Of CloudWatch Logs: for a gigabyte that is written, and for a compressed one that is kept for a month. */
  readonly logGigabyte: number;
  readonly keptLogGigabyte: number;
  /** Of Secrets Manager: for a secret and month. Standard parameters of the Parameter Store cost nothing. */
  readonly secret: number;
  /** Of KMS: for a key and month, and for ten thousand calls. */
  readonly key: number;
  readonly tenThousandKeyRequests: number;
  /** Of S3: for a thousand puts, and for a gigabyte and month. */
  readonly thousandPuts: number;
  readonly archivedGigabyte: number;
}

/** Of when the pages are in which the prices were found, and which pages. AWS may change its prices any time. */
export const pricesOf = '2026-06';
export const priceSource =
  'pages about the prices of Lambda, SQS, CloudWatch, Secrets Manager, KMS and S3; compare them with those of AWS before you rely on them';

/** By region. Another region differs by up to a half, mostly in logs and storage. */
export const prices = {
  'us-east-1': {
    lambdaGigabyteSecond: { arm64: 0.0000133334, x86_64: 0.0000166667 },
    lambdaMillionRequests: 0.2,
    sqsMillionFifoRequests: 0.5,
    alarmMetric: 0.1,
    highResolutionAlarmMetric: 0.3,
    compositeAlarm: 0.5,
    customMetric: 0.3,
    dashboard: 3,
    logGigabyte: 0.5,
    keptLogGigabyte: 0.03,
    secret: 0.4,
    key: 1,
    tenThousandKeyRequests: 0.03,
    thousandPuts: 0.005,
    archivedGigabyte: 0.023,
  },
} as const satisfies Record<string, Prices>;

export type PricedRegion = keyof typeof prices;
export const pricedRegions = Object.keys(prices) as PricedRegion[];
