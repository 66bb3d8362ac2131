export interface KrewOptions {
  version: string;
  /** Where the packed file can be downloaded, and its checksum. */
  uri: string;
  sha256: string;
}

/**
 * The manifest for krew, kubectl's manager of plugins. The packed file is the same for each platform; on Windows a plugin
 * must be an .exe, so there the command is installed with npm. All files are extracted, as the command reads some of them.
 */
export function krewManifest({ version, uri, sha256 }: KrewOptions): string {
  return `apiVersion: krew.googlecontainertools.github.com/v1alpha2
kind: Plugin
metadata:
  name: longshore
spec:
  version: v${version}
  shortDescription: Storage features without controllers in the cluster
  description: |
    Moves PersistentVolumeClaims between namespaces without copying data, restores VolumeSnapshots across namespaces,
    and provisions object storage buckets, from outside the cluster. \`kubectl longshore --help\` lists the commands.
  caveats: |
    Needs Node 20.19 or later as \`node\` on the PATH.
  platforms:
    - selector:
        matchExpressions:
          - { key: os, operator: In, values: [darwin, linux] }
      uri: ${JSON.stringify(uri)}
      sha256: ${sha256}
      bin: package/dist/longshore.mjs
`;
}
