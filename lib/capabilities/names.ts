/** What can be left out of a deployment, by the name that the blocks of serverless.yml have for it. */
export const capabilityNames = ['transfers', 'buckets', 'data-sources'] as const;

export type CapabilityName = (typeof capabilityNames)[number];
