import { checkTemplates } from './check.ts';

/** `npm run check:template` */
const { findings, unneeded } = await checkTemplates((line) => console.error(line));
for (const { template, check, resource, message } of findings) {
  console.log(`${template}: ${check} ${resource}: ${message}`);
}
for (const { check, resources } of unneeded) {
  console.log(`tools/template-check/exceptions.ts: ${check} for ${resources} is not needed any more`);
}
const wrong = findings.length + unneeded.length;
console.log(wrong === 0 ? 'The templates are correct' : `${wrong} problems found`);
if (wrong > 0) process.exitCode = 1;
