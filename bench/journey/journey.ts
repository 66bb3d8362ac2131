import { exitCodes } from '../../cli/exit-codes.ts';
import { compared, type Report, type Result, result } from '../report.ts';
import { type Begun, Person, type Typed } from './person.ts';
import { openSite, type Site } from './site.ts';

const drivers = '[{"name": "s3.longshore.dev", "type": "s3", "region": "eu-central-1"}]';
const limitSeconds = 90;
const limitCommands = 3;
const bucketClass = 'apiVersion: cosi.io/v1alpha1, kind: BucketClass, metadata: { name: objects }';
const classFields = 'provisioner: s3.longshore.dev, releasePolicy: Delete, parameters: { region: eu-central-1 }';

/**
 * What a newcomer types and reads, and how long each command takes: from an empty folder, with the packed file, a cluster
 * that never saw Longshore, and a store. These commands use nothing of the repository.
 */
export async function journey(progress: (line: string) => void): Promise<Report> {
  await using site = await openSite(progress);
  await using person = await Person.arrives(site, progress);
  const got = await person.type(`npm install --global ${site.packedFile}`);
  const began = performance.now();
  const installed = await person.type('longshore install --yes');
  const run = person.begins(`longshore run --cluster main --drivers '${drivers}'`);
  await run.says(/leads|lease/);
  const running = run.soFar();
  const demo = person.begins('longshore demo');
  const shown = await demo.ends();
  const toFirstMove = (demo.saidAt('The same volume is bound in the other namespace') - began) / 1_000;
  const typed = [got, installed, running, shown, ...(await ownObjects(person, site)), ...(await leave(person, run))];
  const commands = [installed, running, shown].length;
  return {
    name: 'journey',
    conditions: { node: process.version, cluster: site.version, package: `${site.packedKilobytes} KB` },
    results: [
      ...typed.flatMap(figuresOf),
      compared('commands after npm to the first moved claim', commands, 'commands', 'limit', limitCommands),
      compared('time after npm to the first moved claim', toFirstMove, 's', 'limit', limitSeconds),
      result(
        'all words read',
        typed.reduce((sum, { words }) => sum + words, 0),
        'words',
      ),
    ],
  };
}

/** A snapshot of another namespace, its claim, and a bucket. */
async function ownObjects(person: Person, { owner, user, claim, snapshot }: Site): Promise<Typed[]> {
  const restore = person.begins(`longshore restore ${snapshot} --from ${owner} --to-name copy --size 1Gi -n ${user}`);
  const granted = await person.type(await restore.says(/^ *(kubectl apply[\s\S]*?\nEOF)$/m));
  const restored = await restore.ends();
  const move = person.begins(`longshore move pvc/${claim} --from ${owner} -n ${user}`);
  const approved = await person.type(`${await move.says(/^ *(longshore approve .*)$/m)} --yes`);
  const moved = await move.ends();
  const defined = await person.type(`kubectl apply -f - <<'EOF'\n{ ${bucketClass}, ${classFields} }\nEOF`);
  const bucket = await person.type(`longshore bucket create photos --class objects -n ${user} --wait`);
  return [restored, granted, moved, approved, defined, bucket, await person.type('longshore status')];
}

/** What `uninstall` asks for is typed as it says it. */
async function leave(person: Person, run: Begun): Promise<Typed[]> {
  const refused = person.begins('longshore uninstall --yes');
  const typed = [await refused.ends(exitCodes.failed)];
  for (const [, line = ''] of refused.output.matchAll(/^ {6}(\S.*)$/gm)) {
    typed.push(await person.type(line.startsWith('longshore') ? `${line} --yes` : line));
  }
  await run.stop();
  return [...typed, await person.type('longshore uninstall --yes')];
}

function figuresOf({ line, seconds, words }: Typed): Result[] {
  const [first = ''] = line.split('\n');
  const name = first.replace(/\S*\/(?=[^/]+\.tgz)/, '');
  return [result(name, seconds, 's'), result('  to read', words, 'words')];
}
