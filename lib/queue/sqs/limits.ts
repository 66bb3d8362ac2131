/** SQS accepts no more messages in one call. */
export const maxMessagesPerCall = 10;
