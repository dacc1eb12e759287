import { defined } from '../../util/defined.js';
import type { AnnotationToImport } from '../format.js';
import { joinTexts } from '../reading/read-value.js';

/** The contents of one `highlights/<slug>.md`. */
export interface OmnivoreNotes {
  readonly highlights: readonly AnnotationToImport[];
  /** The person's note about the whole page. */
  readonly note: string;
}

interface Paragraph {
  readonly text: string;
  readonly isPageNote: boolean;
}

const QUOTE_MARKS = /^> ?/gm;
const LABELS = /^#\S/;
/** Number of blank lines after a note about the page. Omnivore adds two line ends to such a note. */
const BLANKS_AFTER_NOTE = 3;
const BLANKS_AFTER_LAST_NOTE = 2;

/**
 * Parses the highlights of an article. A highlight is a quote, then optionally a line of labels, then optionally a
 * note.
 * A note about the page may follow. Only the blank lines after it distinguish it from the note of the highlight.
 */
export function omnivoreNotes(markdown: string): OmnivoreNotes {
  const [before, ...sections] = sectionsIn(markdown);
  const pageNotes = before?.paragraphs.map(({ text }) => text) ?? [];
  const highlights = sections.map(({ quote, paragraphs }) => {
    const length = highlightNoteLength(paragraphs);
    pageNotes.push(...paragraphs.slice(length).map(({ text }) => text));
    const note = joinTexts(...paragraphs.slice(0, length).map(({ text }) => text));
    return defined<AnnotationToImport>({ quote, note: note || undefined });
  });
  return { highlights, note: joinTexts(...pageNotes) };
}

/**
 * Counts the paragraphs that belong to the highlight. Before a note about the page, assumes a note of one paragraph.
 */
function highlightNoteLength(paragraphs: readonly Paragraph[]): number {
  const labels = LABELS.test(paragraphs[0]?.text ?? '') ? 1 : 0;
  const hasPageNote = paragraphs.length > labels && paragraphs.at(-1)?.isPageNote === true;
  return hasPageNote ? Math.min(labels + 1, paragraphs.length - 1) : paragraphs.length;
}

/** A quote and the paragraphs after it. The quote is empty for the paragraphs before the first quote. */
interface Section {
  readonly quote: string;
  readonly paragraphs: Paragraph[];
}

function sectionsIn(markdown: string): readonly Section[] {
  const sections: Section[] = [{ quote: '', paragraphs: [] }];
  for (const paragraph of paragraphsIn(markdown)) {
    if (paragraph.text.startsWith('>')) {
      const quote = paragraph.text.replaceAll(QUOTE_MARKS, '').trim();
      sections.push({ quote, paragraphs: [] });
    } else {
      sections.at(-1)?.paragraphs.push(paragraph);
    }
  }
  return sections;
}

function* paragraphsIn(markdown: string): Generator<Paragraph> {
  let lines: string[] = [];
  let blanks = 0;
  for (const line of markdown.replaceAll(/\r\n?/g, '\n').split('\n')) {
    if (line.trim() === '') {
      blanks += 1;
      continue;
    }
    if (blanks > 0 && lines.length > 0) {
      yield { text: lines.join('\n').trim(), isPageNote: blanks >= BLANKS_AFTER_NOTE };
      lines = [];
    }
    lines.push(line);
    blanks = 0;
  }
  if (lines.length > 0) {
    yield { text: lines.join('\n').trim(), isPageNote: blanks >= BLANKS_AFTER_LAST_NOTE };
  }
}
