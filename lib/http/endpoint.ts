import { isIP } from 'node:net';

/** Whom to connect to for a URL, as sockets take it. */
export function endpointOf({ protocol, hostname, port }: URL): { host: string; port: number; servername: string } {
  // An address of version 6 stands in brackets in a URL, which the resolver does not know.
  const host = hostname.replace(/^\[|\]$/g, '');
  // A server is not asked for the certificate of a mere address.
  return { host, port: Number(port || (protocol === 'http:' ? 80 : 443)), servername: isIP(host) ? '' : host };
}
