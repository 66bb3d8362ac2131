export class NothingToRelease extends Error {
  override name = 'NothingToRelease';
}

const heading = '## Unreleased';

/** Gives the unreleased section a version and a date, and adds a new empty one. */
export function released(changelog: string, version: string, date: Date): string {
  const [before, entries, after] = partsOf(changelog);
  if (changelog.includes(`\n## ${version} `))
    throw new NothingToRelease(`CHANGELOG.md has a section ${version} already`);
  if (!/^- /m.test(entries)) throw new NothingToRelease(`CHANGELOG.md has no entry below "${heading}"`);
  const day = date.toISOString().slice(0, 10);
  return `${before}${heading}\n\n## ${version} - ${day}\n${entries.trimEnd()}\n${after === '' ? '' : `\n${after}`}`;
}

/** The entries of one version, for the notes of its release. */
export function notesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^(?=## )/m);
  const section = sections.find((each) => each.startsWith(`## ${version} `));
  if (section === undefined) throw new NothingToRelease(`CHANGELOG.md has no section ${version}`);
  return section.slice(section.indexOf('\n') + 1).trim();
}

function partsOf(changelog: string): [before: string, entries: string, after: string] {
  const start = changelog.indexOf(`${heading}\n`);
  if (start < 0) throw new NothingToRelease(`CHANGELOG.md has no section "${heading}"`);
  const bodyStart = start + heading.length + 1;
  const next = changelog.indexOf('\n## ', bodyStart);
  const end = next < 0 ? changelog.length : next + 1;
  return [changelog.slice(0, start), changelog.slice(bodyStart, end), changelog.slice(end)];
}
