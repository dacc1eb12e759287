import { escapeUTF8 } from 'entities';

const INDENTED = /^(?: {4}|\t)/u;
const ITEM = /^\s{0,3}[*+•-]\s+/u;
const NUMBERED = /^\s{0,3}\d{1,3}[.)]\s+/u;
const QUOTED = /^>\s?/u;
const UNDERLINE = /^([=~-])\1{2,}\s*$/u;
/** The minimum length of a line whose end is only there to keep the text narrow. Shorter lines are verses or lists. */
const WRAPPED = 45;

/** Converts a plain text to HTML. Blank lines separate its paragraphs, and indented lines are code. */
export const textHtml = (text: string): string =>
  text
    .split(/\n[^\S\n]*\n/u)
    .map((block) => block.split('\n').filter((line) => line.trim() !== ''))
    .filter((lines) => lines.length > 0)
    .map(blockHtml)
    .join('');

function blockHtml(lines: readonly string[]): string {
  const [first = '', second = ''] = lines;
  if (lines.length === 2 && UNDERLINE.test(second)) {
    return `<h2>${escapeUTF8(first.trim())}</h2>`;
  }
  const [matches, convert] = KINDS.find(([pattern]) => pattern(lines)) ?? [];
  return matches === undefined || convert === undefined ? paragraph(lines) : convert(lines);
}

type Kind = readonly [(lines: readonly string[]) => boolean, (lines: readonly string[]) => string];

const KINDS: readonly Kind[] = [
  // Lists are recognised before code, because their items may be indented.
  [(lines) => beginsWith(lines, /^\s*[*+•-]\s+\S/u), (lines) => list('ul', lines, ITEM)],
  [(lines) => beginsWith(lines, /^\s*\d{1,3}[.)]\s+\S/u), (lines) => list('ol', lines, NUMBERED)],
  [(lines) => lines.every((line) => INDENTED.test(line)), code],
  [(lines) => lines.every((line) => QUOTED.test(line)), quotation],
];

const beginsWith = (lines: readonly string[], start: RegExp): boolean => start.test(lines[0] ?? '');

function list(name: 'ul' | 'ol', lines: readonly string[], start: RegExp): string {
  const items: string[] = [];
  for (const line of lines) {
    const bare = line.trim();
    if (start.test(bare)) {
      items.push(bare.replace(start, ''));
    } else {
      items.push(`${items.pop() ?? ''} ${bare}`);
    }
  }
  return `<${name}>${items.map((item) => `<li>${escapeUTF8(item)}</li>`).join('')}</${name}>`;
}

function code(lines: readonly string[]): string {
  const margin = Math.min(...lines.map((line) => line.length - line.trimStart().length));
  return `<pre>${escapeUTF8(lines.map((line) => line.slice(margin)).join('\n'))}</pre>`;
}

function quotation(lines: readonly string[]): string {
  return `<blockquote>${paragraph(lines.map((line) => line.replace(QUOTED, '')))}</blockquote>`;
}

function paragraph(lines: readonly string[]): string {
  const isWrapped = lines.slice(0, -1).every(({ length }) => length >= WRAPPED);
  return `<p>${lines.map((line) => escapeUTF8(line.trim())).join(isWrapped ? ' ' : '<br>')}</p>`;
}
