import { Parser } from 'htmlparser2';

export type Attributes = Readonly<Record<string, string>>;

/** What an article consists of, in its order; elements are closed as a browser would close them. */
export interface ArticleParts {
  open(tag: string, attributes: Attributes): void;
  close(tag: string): void;
  /** All that stands between two tags, decoded. */
  text(text: string): void;
  /** A video or a recording; what is in it is none of the text. */
  media(tag: string, sources: readonly string[], title: string): void;
}

const MEDIA = new Set(['video', 'audio', 'iframe']);
/** What is in these is never text of an article; extraction lets none through. */
const SILENT = new Set(
  'script style template textarea select option noscript object embed svg math head title xmp noembed noframes plaintext'.split(
    ' ',
  ),
);

interface OpenMedia {
  readonly tag: string;
  readonly sources: string[];
  readonly title: string;
}

/** Tells the parts of an article's HTML, in one pass. */
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

/** The address of a page or a picture; undefined for one that a link must not have. */
export const webAddressOf = (address: string | undefined): string | undefined =>
  address !== undefined && /^(?:https?:\/\/|mailto:)/i.test(address) ? address : undefined;
