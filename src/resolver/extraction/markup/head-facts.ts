/** What a page says of itself in elements that nobody sees. Texts are decoded, names are lower case. */
export interface HeadFacts {
  readonly title: string;
  readonly lang: string;
  readonly base: string;
  readonly metas: readonly Meta[];
  readonly links: readonly Link[];
  /** The text of each JSON-LD script. */
  readonly jsonLd: readonly string[];
  /** What a script says is the page's date of publication, in whatever spelling. */
  readonly scriptDate: string;
}

export interface Meta {
  /** Its property, name or itemprop. */
  readonly key: string;
  readonly content: string;
}

export interface Link {
  readonly rel: string;
  readonly href: string;
  readonly sizes: string;
}

/** The contents of the first of these metas that has one. */
export function metaOf(facts: HeadFacts, keys: readonly string[]): string {
  for (const key of keys) {
    const found = facts.metas.find((meta) => meta.key === key && meta.content !== '');
    if (found) {
      return found.content;
    }
  }
  return '';
}

/** All contents of the metas of one key. */
export const metasOf = (facts: HeadFacts, key: string): readonly string[] =>
  facts.metas.filter((meta) => meta.key === key && meta.content !== '').map((meta) => meta.content);

export const linkOf = (facts: HeadFacts, rel: string): string =>
  facts.links.find((link) => link.href !== '' && link.rel.split(/\s+/u).includes(rel))?.href ?? '';
