import { bundleFunctions } from '../../deployment/bundle/bundle.ts';

const bundles = new Map<string, Promise<string>>();

/** Where the bundle of a function is. Bundling takes a while, so only what is asked for is bundled, and once. */
export function bundleOf(functionName: string): Promise<string> {
  const made = bundles.get(functionName) ?? bundled(functionName);
  bundles.set(functionName, made);
  return made;
}

async function bundled(functionName: string): Promise<string> {
  const [report] = await bundleFunctions({ names: [functionName] });
  if (!report) throw new Error(`${functionName} was not bundled`);
  return report.path;
}
