/** Where an API server is and how to prove who we are. TLS is always verified: there is no switch to turn it off. */
export interface Access {
  server: string;
  /** PEM; without it the system's certificate authorities are trusted. */
  certificateAuthority?: string;
  clientCertificate?: string;
  clientKey?: string;
  /** Asked for each request, so that a token can be renewed before it expires. */
  token?: () => Promise<string>;
  /** When the client certificate must have been replaced, which takes a new connection. */
  validUntil?: Date;
}
