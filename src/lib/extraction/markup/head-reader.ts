import { decodeHTML, decodeHTMLAttribute } from 'entities';

/** The attributes of a tag as written in the page, keyed by lower-case name. Character references are not decoded. */
export type RawAttributes = ReadonlyMap<string, string>;

/**
 * The maximum number of `<meta>` elements that are collected from a page. The same maximum applies to `<link>`
 * elements, and to JSON-LD scripts. Real pages have a few dozen of each.
 */
const MAX_FACTS = 1_000;
const MAX_TEXT = 5_000;
const MAX_JSON = 1_000_000;

/** Matches the variable in which a script of a YouTube page stores the data of the page. */
const PAGE_DATA = /\bytInitialPlayerResponse\b/u;
const START_OF_DATA = 200;
const MAX_DATA = 3;

/** Matches the start of a script that consists of JSON or assigns JSON to a variable. */
const STATE =
  /^\s*(?:[{[]|(?:window|self|globalThis|var|let|const)\b[^{}()]{0,150}=\s*[{[]|(?:\(?self\.)?__next_f|self\.__next_f)/u;
const START_OF_STATE = 300;
const LEAST_STATE = 100;
const MAX_STATES = 200;

const isState = (text: string): boolean =>
  text.length >= LEAST_STATE &&
  text.length <= MAX_JSON &&
  STATE.test(text.slice(0, START_OF_STATE));

const PUBLISHED =
  /"(?:date_?published|published_?(?:at|date|on|time)|publish_?date|pub_?date|post_?date|first_?published_?(?:at|date)?|publication_?date)\\{0,3}"\s*:\s*\\{0,3}"([^"\\]{8,40})/iu;

/**
 * Collects the data in invisible elements of a page, such as `<meta>` and `<link>`. The markup scanner calls the
 * methods of this class for each tag.
 */
export class HeadReader {
  readonly #metas: Meta[] = [];
  readonly #links: Link[] = [];
  readonly #jsonLd: string[] = [];
  readonly #pageData: string[] = [];
  readonly #states: string[] = [];
  #title = '';
  #lang = '';
  #base = '';
  #scriptDate = '';

  tag(name: string, attributes: RawAttributes): void {
    READERS[name]?.(this, (key) => decoded(attributes.get(key) ?? ''));
  }

  title(raw: string): void {
    this.#title ||= decodeHTML(raw.slice(0, MAX_TEXT)).replace(/\s+/gu, ' ').trim();
  }

  jsonLd(text: string): void {
    if (text.length <= MAX_JSON && this.#jsonLd.length < MAX_FACTS) {
      this.#jsonLd.push(text);
    }
  }

  /**
   * Collects the publication date from a script. Also collects the whole script if it contains the
   * data of a YouTube page.
   */
  script(text: string): void {
    if (isState(text)) {
      this.#states.push(text);
    }
    this.#scriptDate ||= PUBLISHED.exec(text)?.[1] ?? '';
    if (this.#pageData.length < MAX_DATA && PAGE_DATA.test(text.slice(0, START_OF_DATA))) {
      this.#pageData.push(text);
    }
  }

  meta(keys: readonly string[], content: string): void {
    for (const key of keys) {
      if (key !== '' && this.#metas.length < MAX_FACTS) {
        this.#metas.push({ key: key.toLowerCase().trim(), content: content.trim() });
      }
    }
  }

  link(link: Link): void {
    if (this.#links.length < MAX_FACTS) {
      this.#links.push(link);
    }
  }

  lang(lang: string): void {
    this.#lang ||= lang.trim();
  }

  base(href: string): void {
    this.#base ||= href.trim();
  }

  facts(): HeadFacts {
    return {
      title: this.#title,
      lang: this.#lang,
      base: this.#base,
      metas: this.#metas,
      links: this.#links,
      jsonLd: this.#jsonLd,
      scriptDate: this.#scriptDate,
      pageData: this.#pageData,
      states: this.#states.slice(0, MAX_STATES),
    };
  }
}

type Read = (name: string) => string;

const READERS: Readonly<Record<string, (head: HeadReader, read: Read) => void>> = {
  html: (head, read) => {
    head.lang(read('lang') || read('xml:lang'));
  },
  base: (head, read) => {
    head.base(read('href'));
  },
  link: (head, read) => {
    head.link({ rel: read('rel').toLowerCase(), href: read('href').trim(), sizes: read('sizes') });
  },
  meta: (head, read) => {
    const equivalent = read('http-equiv');
    head.meta(
      [read('property'), read('name'), read('itemprop'), equivalent && `http-${equivalent}`],
      read('content'),
    );
  },
};

const decoded = (raw: string): string => decodeHTMLAttribute(raw.slice(0, MAX_TEXT));

/**
 * The data in the invisible elements of a page. Character references in texts are decoded, and names are in lower case.
 */
export interface HeadFacts {
  readonly title: string;
  readonly lang: string;
  readonly base: string;
  readonly metas: readonly Meta[];
  readonly links: readonly Link[];
  /** The contents of the JSON-LD scripts. */
  readonly jsonLd: readonly string[];
  /** The publication date in a script of the page, in the format of the script. Empty if no script contains a date. */
  readonly scriptDate: string;
  /** The scripts that contain the data of a YouTube page. Empty for other pages. */
  readonly pageData: readonly string[];
  /** The scripts that contain JSON from which a browser creates the text of the page. */
  readonly states: readonly string[];
}

interface Meta {
  /**
   * The `property`, `name` or `itemprop` attribute of a `<meta>` element. If the element has the attribute
   * `http-equiv`, the key is `http-` followed by the value of this attribute.
   */
  readonly key: string;
  readonly content: string;
}

export interface Link {
  readonly rel: string;
  readonly href: string;
  readonly sizes: string;
}

/**
 * Returns the content of a `<meta>` element with one of the keys. Tries the keys in order, and
 * skips empty contents.
 */
export function metaOf(facts: HeadFacts, keys: readonly string[]): string {
  for (const key of keys) {
    const found = facts.metas.find((meta) => meta.key === key && meta.content !== '');
    if (found) {
      return found.content;
    }
  }
  return '';
}

/** Returns the contents of all `<meta>` elements with the key. */
export const metasOf = (facts: HeadFacts, key: string): readonly string[] =>
  facts.metas.filter((meta) => meta.key === key && meta.content !== '').map((meta) => meta.content);

export const linkOf = (facts: HeadFacts, rel: string): string =>
  facts.links.find((link) => link.href !== '' && link.rel.split(/\s+/u).includes(rel))?.href ?? '';
