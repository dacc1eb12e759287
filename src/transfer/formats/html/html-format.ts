import { Pace } from '../../../common/pace.js';
import type { ImportRow } from '../../import-row.js';
import type { ItemToImport } from '../../item-to-import.js';
import type { Format } from '../format.js';
import type { Source } from '../source.js';
import { decodedText } from '../text/decode-text.js';
import { newestFirst, type NoItem, refused, rowFrom } from '../values/item-from.js';
import { type LinkListener, LinkReader } from './link-reader.js';

/** A link as it stands in a document, under its headings or in its folders. */
export interface HtmlLink {
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

/** What tells of the links that follow: headings and folders. */
export interface Surroundings extends LinkListener {
  itemOf(link: HtmlLink): ItemToImport | NoItem;
}

const MAX_TEXT = 10_000;
const UNCLOSED =
  'A tag or a comment opens here and is not closed: the rest of the file cannot be read.';

/** A format whose rows are the links of a document, the newest first, as services write such files. */
export const htmlFormat = (
  parts: Pick<Format, 'name' | 'matches'> & { surroundings: () => Surroundings },
): Format => ({
  name: parts.name,
  matches: (head) => parts.matches(head),
  rows: (source) => rowsOf(source, new Links(source.path, parts.surroundings())),
});

async function* rowsOf(source: Source, links: Links): AsyncGenerator<ImportRow> {
  const reader = new LinkReader(links);
  const pace = new Pace();
  for await (const chunk of decodedText(source.bytes())) {
    const isReadable = reader.write(chunk);
    yield* links.takeRows();
    if (!isReadable) {
      yield refused(links.nextPlace(), UNCLOSED);
      return;
    }
    await pace.breathe();
  }
  reader.end();
  links.end();
  yield* links.takeRows();
}

class Links implements LinkListener {
  #rows: ImportRow[] = [];
  #attributes: Readonly<Record<string, string>> | undefined;
  #text = '';
  #number = 0;

  constructor(
    private readonly path: string,
    private readonly surroundings: Surroundings,
  ) {}

  onOpen(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'a') {
      this.end();
      this.#attributes = attributes;
      return;
    }
    this.surroundings.onOpen(name, attributes);
  }

  onText(text: string): void {
    if (this.#attributes === undefined) {
      this.surroundings.onText(text);
    } else if (this.#text.length < MAX_TEXT) {
      this.#text += text;
    }
  }

  onClose(name: string): void {
    if (name === 'a') {
      this.end();
    } else {
      this.surroundings.onClose(name);
    }
  }

  /** Of a link that is open. */
  end(): void {
    const attributes = this.#attributes;
    const text = this.#text.replaceAll(/\s+/g, ' ').trim();
    this.#attributes = undefined;
    this.#text = '';
    if (attributes !== undefined) {
      const item = this.surroundings.itemOf({ attributes, text });
      this.#rows.push(newestFirst(rowFrom(this.nextPlace(), item, text)));
    }
  }

  takeRows(): readonly ImportRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  nextPlace(): ImportRow['place'] {
    this.#number += 1;
    return { path: this.path, line: this.#number };
  }
}
