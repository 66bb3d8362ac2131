/**
 * Loaded first into each Lambda function of the local AWS, which would replace `https.request` by one that talks plain
 * HTTP to the loopback interface: a control plane on this machine speaks TLS there. So whatever is assigned is ignored.
 */
import https from 'node:https';

const { request, get } = https;
const kept = (value) => ({ get: () => value, set: () => {}, enumerable: true });
Object.defineProperties(https, { request: kept(request), get: kept(get) });
