/** What the template does not say, and a bill depends on. Nothing of it was measured on AWS; where in doubt it is too much. */
export const secondsOfMonth = 730 * 3_600;
export const hoursOfMonth = 730;
export const daysOfMonth = hoursOfMonth / 24;

/** Lambda waits this long for a message, on each of its connections to a queue, before it asks again. */
export const pollSeconds = 20;
/**
 * Lambda begins with five connections to a queue. With little to do it goes down to two, but not if the mapping has a maximum
 * concurrency. AWS documents this for standard queues, and says nothing else of FIFO queues.
 */
export const pollers = { withMaximum: 5, otherwise: 2 } as const;

/** A scheduled start of the forwarder that finds another run at work ends after about this time. */
export const idleStartSeconds = 2;
/** The next run waits this long on average for the end of the one before it: it begins 15 to 75 s earlier. */
export const handoverSeconds = 45;
/** Of the other scheduled functions, for each cluster. */
export const scheduledRunSeconds = 5;

/** A message has a batch of its own, is sent, received and deleted alone, and succeeds: busy deployments share calls. */
export const callsOfMessage = 3;
export const stepSeconds = 0.1;
/** Its lines in the log, with those that Lambda writes of the invocation. */
export const logBytesOfMessage = 2_500;
/** What a scheduled run and the forwarder's measurements write in a minute. */
export const logBytesOfMinute = 2_000;
/** CloudWatch compresses what it keeps. */
export const keptShareOfLog = 0.15;

/** One change in ten is the last one of a transfer, a Bucket or a claim, and counts as a result. */
export const resultsOfChange = 0.1;
/** A segment of the archive is written every five seconds at most. */
export const segmentSeconds = 5;
export const archivedBytesOfMessage = 140;

/** CloudWatch shows three dashboards of an account for nothing, if each has no more metrics than this. */
export const freeDashboardMetrics = 50;

/** How many values a dimension has, unless the deployment decides it. */
export const valuesOf: Readonly<Record<string, number>> = {
  Transfer: 2,
  Flow: 3,
  Request: 3,
  Reason: 1,
  StorageClass: 1,
  SourceKind: 2,
};
