import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** They allow to pass a package on within another one, if its notice is with it. */
const allowed = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']);
const ofPackage = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

export interface Bundled {
  name: string;
  version: string;
  license: string;
  /** The license, and the notice if there is one, as the package has them. */
  text: string;
}

/** The packages that these files are of. */
export async function bundledPackages(root: string, inputs: readonly string[]): Promise<Bundled[]> {
  const folders = new Set(inputs.flatMap((input) => ofPackage.exec(input)?.[1] ?? []));
  const all = await Promise.all([...folders].map((folder) => bundledPackage(join(root, folder))));
  const complete = all.map((each) => ({ ...each, text: each.text || borrowedText(each, all) }));
  return complete.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

async function bundledPackage(folder: string): Promise<Bundled> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Omit<Bundled, 'text'>;
  const { name, version, license } = manifest;
  if (!allowed.has(license)) throw new Error(`${name} has the license ${license}, which no one has decided about`);
  const names = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|notice)(?:\.(?:md|txt))?$/i.test(file));
  const texts = await Promise.all(names.toSorted().map((file) => readFile(join(folder, file), 'utf8')));
  return { name, version, license, text: texts.map((text) => text.trim()).join('\n\n') };
}

/** Some packages of the AWS SDK come without the file that the others have; others only name their license. */
function borrowedText({ name, license }: Bundled, all: readonly Bundled[]): string {
  const [scope] = name.split('/', 1);
  const other = all.find((each) => each.text && each.license === license && each.name.startsWith(`${scope}/`));
  return (
    other?.text ?? `${name} comes without a text of its license, ${license}: https://spdx.org/licenses/${license}.html`
  );
}

/** Each text once, below the packages that have it. */
export function noticesOf(packages: readonly Bundled[]): string {
  const parts = [...Map.groupBy(packages, ({ text }) => text)].map(([text, all]) => {
    const names = all.map(({ name, version, license }) => `${name} ${version} (${license})`);
    return `${names.join('\n')}\n\n${text}\n`;
  });
  const heading = 'This package contains code of the following packages, under their licenses.\n';
  return [heading, ...parts].join(`\n${'-'.repeat(80)}\n\n`);
}
