import * as v from 'valibot';
import { noObject, object, string } from '../../runtime/config-values.ts';

const address = string('the address of an API server, such as https://203.0.113.7:6443');
const place = string('a place such as secretsmanager:<name>, ssm:<name> or file:<path>');
const authority = string('a certificate authority: PEM, or PEM in base64');
const needs = (type: string) => `: access of type ${type} needs it`;

/** A kubeconfig with a token or a client certificate. */
const kubeconfig = object({ type: v.literal('kubeconfig'), from: place }, needs('kubeconfig'));

/** A static bearer token in a secret store. */
const token = object(
  { type: v.literal('token'), server: address, certificateAuthority: v.exactOptional(authority), from: place },
  needs('token'),
);

/** Amazon EKS: a token presigned with the function's own AWS identity. */
const eks = object(
  {
    type: v.literal('eks'),
    server: address,
    certificateAuthority: authority,
    clusterName: string('the name of the cluster in EKS'),
    region: v.exactOptional(string('a region of AWS, such as eu-central-1')),
  },
  needs('eks'),
);

/** How a cluster is reached. */
export const accessConfig = v.variant('type', [kubeconfig, token, eks], ({ expected }) =>
  expected === 'Object' ? noObject : 'must be kubeconfig, token or eks',
);

export type AccessConfig = v.InferOutput<typeof accessConfig>;
