const DESCRIPTION = '<dd>';
const MAX_TEXT = 10_000;
/** The maximum length of a link's description. The size limit of a note is smaller. */
const MAX_DESCRIPTION = 100_000;

/** A link of a document and the `<dd>` element after it. The link remembers which of its parts were read. */
export class HtmlLink {
  readonly #read = new Set<string>();
  #text = '';
  #description = '';

  constructor(private readonly attributes: Readonly<Record<string, string>>) {}

  /** The text of the link, with white space replaced by single spaces. */
  get text(): string {
    return this.#text.replaceAll(/\s+/g, ' ').trim();
  }

  /** Returns the value of an attribute, and marks it as read. The name must be in lower case. */
  attribute(name: string): string | undefined {
    this.#read.add(name);
    return this.attributes[name];
  }

  /** The names of the attributes in file order, in lower case. */
  get attributeNames(): readonly string[] {
    return Object.keys(this.attributes);
  }

  /** Returns the description of the link without marking it as read. */
  peekDescription(): string {
    return this.#description;
  }

  /**
   * Returns the trimmed text of the `<dd>` element after the link, with its line breaks. Returns an empty text if the
   * link has no `<dd>` element.
   */
  description(): string {
    this.#read.add(DESCRIPTION);
    return this.#description.trim();
  }

  /**
   * Returns the names of the attributes and `<dd>` elements that have text, were not read, and are not ignored on
   * purpose. The import report lists these parts.
   */
  unread(leftOut: ReadonlySet<string>): readonly string[] {
    const texts = { ...this.attributes, [DESCRIPTION]: this.#description };
    return Object.entries(texts)
      .filter(([name, text]) => text.trim() !== '' && !this.#read.has(name) && !leftOut.has(name))
      .map(([name]) => name);
  }

  addText(text: string): void {
    if (this.#text.length < MAX_TEXT) {
      this.#text += text;
    }
  }

  addDescription(text: string): void {
    if (this.#description.length < MAX_DESCRIPTION) {
      this.#description += text;
    }
  }
}
