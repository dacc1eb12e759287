import { escapeUTF8 } from 'entities';

import { textHtml } from '../documents/text-blocks.js';
import type { DomDocument, DomElement } from '../dom.js';

/** Matches the start of a quoted line (RFC 3676, section 4.5). */
const QUOTE = /^> ?/u;
/** Matches the first line of a patch, which only makes sense with its line breaks. */
const PATCH = /^(?:diff --git |Index: |--- \S|@@ -\d)/u;
/** Matches the line between the description of a patch and the names of its files. */
const FILES = /^---$/u;
/** Matches a header of a mail, such as `From: Ada`. */
const HEADERS = /^From: [^\n]*\n(?:[\w-]+: [^\n]*\n|[ \t][^\n]*\n)*/u;
/** The number of levels of quotations that are shown. */
const DEEPEST = 8;
/** The number of lines of a mail that becomes paragraphs. A longer mail stays as it is, to limit the number of elements. */
const MOST_LINES = 3_000;

/**
 * Replaces the plain text of mails with paragraphs, and quoted lines with quotations. If the parts are whole messages
 * with their headers, removes the headers, and all parts that are no messages.
 */
export function writeMails(
  document: DomDocument,
  root: DomElement,
  kind: 'text' | 'message',
): void {
  for (const pre of root.querySelectorAll('pre')) {
    const text = pre.textContent ?? '';
    if (kind === 'text' || HEADERS.test(text)) {
      const mail = document.createElement('div');
      mail.innerHTML = mailHtml(kind === 'text' ? text : text.replace(HEADERS, ''));
      pre.replaceWith(mail);
    } else {
      (pre.parentElement ?? pre).remove();
    }
  }
}

function mailHtml(text: string): string {
  const lines = text.split('\n');
  return lines.length > MOST_LINES ? `<pre>${escapeUTF8(text)}</pre>` : linesHtml(lines, 0);
}

function linesHtml(lines: readonly string[], depth: number): string {
  return runsIn(lines, depth)
    .map(({ isQuoted, lines: run }) =>
      isQuoted
        ? `<blockquote>${linesHtml(
            run.map((line) => line.replace(QUOTE, '')),
            depth + 1,
          )}</blockquote>`
        : ownHtml(run),
    )
    .join('');
}

interface Run {
  readonly isQuoted: boolean;
  readonly lines: string[];
}

/** Returns the runs of consecutive lines that are quoted, or that are not quoted. */
function runsIn(lines: readonly string[], depth: number): readonly Run[] {
  const runs: Run[] = [];
  for (const line of lines) {
    const isQuoted = depth < DEEPEST && QUOTE.test(line);
    const last = runs.at(-1);
    if (last?.isQuoted === isQuoted) {
      last.lines.push(line);
    } else {
      runs.push({ isQuoted, lines: [line] });
    }
  }
  return runs;
}

/** Converts lines that the author of a mail has written. A patch stays as it is. */
function ownHtml(lines: readonly string[]): string {
  const from = lines.findIndex((line) => PATCH.test(line));
  const files = lines.findIndex((line) => FILES.test(line));
  const at = files >= 0 && files < from ? files : from;
  const [text, patch] = at < 0 ? [lines, []] : [lines.slice(0, at), lines.slice(at)];
  const code = patch.length === 0 ? '' : `<pre>${escapeUTF8(patch.join('\n'))}</pre>`;
  return textHtml(text.join('\n')) + code;
}
