import { Parser } from 'htmlparser2';

export type Attributes = Readonly<Record<string, string>>;

/**
 * Receives the elements and texts of an article in document order. An element that the HTML does not close is closed as
 * in a browser.
 */
export interface ArticleParts {
  open(tag: string, attributes: Attributes): void;
  close(tag: string): void;
  /** Receives the decoded text between two tags as one string. */
  text(text: string): void;
  /** Receives a video or audio recording. The content of its element is not part of the article's text. */
  media(tag: string, sources: readonly string[], title: string): void;
  /**
   * Receives the TeX of a MathML formula, or the formula on one line if its TeX is unknown. If this method is missing,
   * the other methods receive the elements of the formula.
   */
  formula?(text: string, isDisplayed: boolean): void;
}

const MEDIA = new Set(['video', 'audio', 'iframe']);
/** Elements whose content is never part of the article's text. They do not occur in extracted articles. */
const SILENT = new Set(
  'script style template textarea select option noscript object embed svg head title xmp noembed noframes plaintext'.split(
    ' ',
  ),
);

interface OpenMedia {
  readonly tag: string;
  readonly sources: string[];
  readonly title: string;
}

/** Parses the HTML of an article in one pass, and calls `parts` for each element and text. */
export function parseArticle(html: string, parts: ArticleParts): void {
  const reader = new PartsReader(parts);
  const parser = new Parser({
    onopentag: (tag, attributes) => {
      reader.open(tag, attributes);
    },
    ontext: (text) => {
      reader.text(text);
    },
    onclosetag: (tag) => {
      reader.close(tag);
    },
  });
  parser.end(html);
  reader.end();
}

class PartsReader {
  private pending = '';
  private media: OpenMedia | undefined;
  private silent: string | undefined;

  constructor(private readonly parts: ArticleParts) {}

  open(tag: string, attributes: Attributes): void {
    if (this.media !== undefined || MEDIA.has(tag)) {
      this.openMedia(tag, attributes);
    } else if (SILENT.has(tag)) {
      this.silent ??= tag;
    } else if (this.silent === undefined) {
      this.end();
      this.openPart(tag, attributes);
    }
  }

  private openPart(tag: string, attributes: Attributes): void {
    if (tag === 'math' && this.parts.formula) {
      this.silent = tag;
      this.parts.formula(attributes['alttext'] ?? '', attributes['display'] === 'block');
    } else {
      this.parts.open(tag, attributes);
    }
  }

  private openMedia(tag: string, { src, title = '' }: Attributes): void {
    this.media ??= { tag, sources: [], title };
    this.media.sources.push(...(src === undefined ? [] : [src]));
  }

  text(text: string): void {
    if (this.media === undefined && this.silent === undefined) {
      this.pending += text;
    }
  }

  close(tag: string): void {
    if (this.silent !== undefined) {
      this.silent = this.silent === tag ? undefined : this.silent;
    } else if (this.media === undefined) {
      this.end();
      this.parts.close(tag);
    } else if (this.media.tag === tag) {
      this.end();
      const { sources, title } = this.media;
      this.media = undefined;
      this.parts.media(tag, sources, title);
    }
  }

  end(): void {
    if (this.pending !== '') {
      this.parts.text(this.pending);
      this.pending = '';
    }
  }
}

/**
 * Returns the address if it is a web or mail address. Returns undefined for other addresses, which links and pictures
 * may not use.
 */
export const webAddressOf = (address: string | undefined): string | undefined =>
  address !== undefined && /^(?:https?:\/\/|mailto:)/i.test(address) ? address : undefined;
