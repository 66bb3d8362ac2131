/**
 * The address of an API server, and our credentials for it. TLS is always verified: there is no option to disable it.
 */
export interface Access {
  server: string;
  /** PEM; without it the system's certificate authorities are trusted. */
  certificateAuthority?: string;
  clientCertificate?: string;
  clientKey?: string;
  /** Called for each request, so that a token can be renewed before it expires. */
  token?: () => Promise<string>;
  /** When the client certificate must have been replaced, which takes a new connection. */
  validUntil?: Date;
}
