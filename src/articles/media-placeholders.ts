import { Parser } from 'htmlparser2';

/** The markup of the placeholders for pictures and videos: HTML comments or `div` elements. */
export type PlaceholderStyle = 'comment' | 'div';

/** For each address of a picture or video of an article, the number that identifies it in the API. */
interface NumberedMedia {
  readonly images: ReadonlyMap<string, number>;
  readonly videos: ReadonlyMap<string, number>;
}

type Kind = 'IMG' | 'VID';
type Attributes = Readonly<Record<string, string>>;

interface Edit {
  readonly start: number;
  /** The offset after the last character of the replaced text. */
  readonly end: number;
  readonly text: string;
}

interface OpenVideo {
  readonly tag: string;
  readonly start: number;
  readonly sources: string[];
}

const PLACEHOLDERS: Readonly<Record<PlaceholderStyle, (kind: Kind, number: number) => string>> = {
  comment: (kind, number) => `<!--${kind}_${number}-->`,
  div: (kind, number) => `<div id="RIL_${kind}_${number}" class="RIL_${kind}"></div>`,
};

/**
 * Replaces each picture and video of the article with a placeholder, as apps made for Pocket expect. Removes pictures
 * and videos without a number. If the article does not contain the first picture of the page, a placeholder for this
 * picture precedes the text.
 */
export function withPlaceholders(
  html: string,
  media: NumberedMedia,
  style: PlaceholderStyle,
): string {
  const found = new Found(media, PLACEHOLDERS[style]);
  const parser = new Parser({
    onopentag: (tag, attributes) => {
      found.open(tag, attributes, [parser.startIndex, parser.endIndex + 1]);
    },
    onclosetag: (tag) => {
      found.close(tag, parser.endIndex + 1);
    },
  });
  parser.end(html);
  return `${found.lead()}${edited(html, found.edits)}`;
}

class Found {
  readonly edits: Edit[] = [];
  private readonly placed = new Set<number>();
  private video: OpenVideo | undefined;

  constructor(
    private readonly media: NumberedMedia,
    private readonly placeholder: (kind: Kind, number: number) => string,
  ) {}

  open(tag: string, { src = '' }: Attributes, [start, end]: readonly [number, number]): void {
    if (this.video !== undefined) {
      this.video.sources.push(src);
    } else if (tag === 'img') {
      this.edits.push({ start, end, text: this.image(src) });
    } else if (tag === 'video' || tag === 'iframe') {
      this.video = { tag, start, sources: [src] };
    }
  }

  close(tag: string, end: number): void {
    if (this.video?.tag !== tag) {
      return;
    }
    const { start, sources } = this.video;
    const number = sources.map((src) => this.media.videos.get(src)).find((at) => at !== undefined);
    const text = number === undefined ? '' : this.placeholder('VID', number);
    this.edits.push({ start, end, text });
    this.video = undefined;
  }

  /**
   * Returns the placeholder to put before the article. Returns an empty text if the article contains the page's first
   * picture.
   */
  lead(): string {
    return this.media.images.size === 0 || this.placed.has(1) ? '' : this.placeholder('IMG', 1);
  }

  private image(src: string): string {
    const number = this.media.images.get(src);
    if (number === undefined) {
      return '';
    }
    this.placed.add(number);
    return this.placeholder('IMG', number);
  }
}

function edited(html: string, edits: readonly Edit[]): string {
  let at = 0;
  const parts = edits.map(({ start, end, text }) => {
    const part = html.slice(at, start) + text;
    at = end;
    return part;
  });
  return parts.join('') + html.slice(at);
}
