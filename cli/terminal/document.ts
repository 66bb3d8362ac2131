import { Document, isScalar, visit } from 'yaml';
import type { DocumentForm } from './document-option.ts';
import { printableJson } from './printable.ts';

/** One document for programs. Of a list in JSON each item has a line of its own. */
export function documentText(value: unknown, form: DocumentForm): string {
  if (form === 'yaml') return printableYaml(value);
  if (!Array.isArray(value) || value.length === 0) return printableJson(value);
  return `[\n${value.map(printableJson).join(',\n')}\n]`;
}

/** What moves a cursor or turns the direction of text. Line breaks and tabs are the format's own matter. */
const unprintable = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/u;
const everyUnprintable = new RegExp(unprintable, 'gu');

/** As with JSON, nobody writes on a terminal with it, and nothing is lost. */
function printableYaml(value: unknown): string {
  const document = new Document(value);
  visit(document, {
    Scalar: (_, node) => {
      if (isScalar(node) && typeof node.value === 'string' && unprintable.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  const text = document.toString({ lineWidth: 0 }).trimEnd();
  return text.replaceAll(everyUnprintable, (each) => `\\U${each.codePointAt(0)?.toString(16).padStart(8, '0')}`);
}
