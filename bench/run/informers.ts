import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';

/** The least that a controller in Node keeps, where it is written as usual: claims and volumes in informers. */
const config = new KubeConfig();
config.loadFromFile(process.argv[2] ?? '');
const api = config.makeApiClient(CoreV1Api);
const claims = makeInformer(config, '/api/v1/persistentvolumeclaims', () =>
  api.listPersistentVolumeClaimForAllNamespaces(),
);
const volumes = makeInformer(config, '/api/v1/persistentvolumes', () => api.listPersistentVolume());
await Promise.all([claims.start(), volumes.start()]);
