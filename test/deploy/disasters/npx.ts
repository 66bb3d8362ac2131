/**
 * What `npx serverless …` is on the local AWS: the very deployment, with the parameters of the command line, out of the folder
 * that one is in, and then what only the local AWS needs (tools/local-aws/stack.ts).
 */
import { parseArgs } from 'node:util';
import { deployStack, removeStack } from '../../../tools/local-aws/deploy.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { stage: { type: 'string' }, region: { type: 'string' }, param: { type: 'string', multiple: true } },
});
const [program, command] = positionals;
const { stage, region, param = [] } = values;
if (program !== 'serverless' || !stage || !region) throw new Error(`nobody knows ${process.argv.slice(2).join(' ')}`);

const {
  AWS_ENDPOINT_URL: endpoint = '',
  AWS_ACCESS_KEY_ID = '',
  AWS_SECRET_ACCESS_KEY = '',
  TMPDIR = '',
} = process.env;
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('AWS_')));
const deployment = {
  localAws: {
    endpoint,
    region,
    credentials: { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY },
    environment: environment as Record<string, string>,
    folder: TMPDIR,
  },
  stage,
  parameters: Object.fromEntries(param.map((each) => [each.split('=')[0] ?? '', each.slice(each.indexOf('=') + 1)])),
  progress: (line: string) => console.log(line),
  root: process.cwd(),
};
if (command === 'deploy') await deployStack(deployment);
else if (command === 'remove') await removeStack(deployment);
else throw new Error(`nobody knows serverless ${command}`);
