import { entryName } from './bundle.ts';

/** What of the repository's package.json holds for the published package too. */
export interface DevelopmentManifest {
  name: string;
  version: string;
  description: string;
  license: string;
  engines: { node: string };
}

/** The published package.json: everything is bundled, so there is nothing to install but the package itself. */
export function publishedManifest({ name, version, description, license, engines }: DevelopmentManifest): object {
  const bin = `dist/${entryName}`;
  return {
    name,
    version,
    description,
    license,
    keywords: ['kubernetes', 'kubectl-plugin', 'storage', 'persistentvolumeclaim', 'volumesnapshot', 'cosi'],
    type: 'module',
    engines,
    // `kubectl longshore` runs a program of this name.
    bin: { longshore: bin, 'kubectl-longshore': bin },
  };
}
