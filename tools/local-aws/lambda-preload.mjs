/**
 * Loaded first into each Lambda function of the local AWS, which would replace `https.request` by a function that uses
 * plain HTTP for the loopback interface: a control plane on this machine uses TLS there. So assignments are ignored.
 */
import https from 'node:https';

const { request, get } = https;
const kept = (value) => ({ get: () => value, set: () => {}, enumerable: true });
Object.defineProperties(https, { request: kept(request), get: kept(get) });
