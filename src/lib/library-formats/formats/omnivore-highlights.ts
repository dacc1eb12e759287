import { defined } from '../../util/defined.js';
import type { AnnotationToImport } from '../format.js';
import { joinTexts } from '../reading/read-value.js';

/** The data in a file `highlights/<slug>.md` of Omnivore's export. */
export interface OmnivoreNotes {
  readonly highlights: readonly AnnotationToImport[];
  /** The note of the user about the whole page. */
  readonly note: string;
}

interface Paragraph {
  readonly text: string;
  readonly isPageNote: boolean;
}

const QUOTE_MARKS = /^> ?/gm;
const LABELS = /^#\S/;
/**
 * The minimum number of blank lines after a note about the whole page. Omnivore writes two more
 * line ends after such a note than after the note of a highlight.
 */
const BLANKS_AFTER_NOTE = 3;
const BLANKS_AFTER_LAST_NOTE = 2;

/**
 * Parses a file with the highlights of one article. A highlight is a quote, which labels and a note
 * can follow. A note about the whole page can come last. The number of blank lines after a note
 * shows if the note belongs to a highlight or to the page.
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
 * Returns the number of paragraphs after a quote that belong to its highlight. If a note about the
 * whole page follows, the note of the highlight is assumed to be a single paragraph.
 */
function highlightNoteLength(paragraphs: readonly Paragraph[]): number {
  const labels = LABELS.test(paragraphs[0]?.text ?? '') ? 1 : 0;
  const hasPageNote = paragraphs.length > labels && paragraphs.at(-1)?.isPageNote === true;
  return hasPageNote ? Math.min(labels + 1, paragraphs.length - 1) : paragraphs.length;
}

/**
 * A quote in the file, with the paragraphs that follow the quote. For the paragraphs before the first quote, `quote` is
 * empty.
 */
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
