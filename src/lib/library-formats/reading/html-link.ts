const DESCRIPTION = '<dd>';
const MAX_TEXT = 10_000;
/**
 * The maximum number of characters of a link's description that are read. This number is greater than the size limit of
 * a note.
 */
const MAX_DESCRIPTION = 100_000;

/**
 * A link in an HTML document, with its description from the `<dd>` element after the link. The object remembers which
 * attributes were read, because the import report lists the other attributes.
 */
export class HtmlLink {
  readonly #read = new Set<string>();
  #text = '';
  #description = '';

  constructor(private readonly attributes: Readonly<Record<string, string>>) {}

  /** The text of the link as one line. */
  get text(): string {
    return this.#text.replaceAll(/\s+/g, ' ').trim();
  }

  /** Returns the value of an attribute, and marks the attribute as read. `name` must be in lower case. */
  attribute(name: string): string | undefined {
    this.#read.add(name);
    return this.attributes[name];
  }

  /** The names of the link's attributes in lower case and in file order. */
  get attributeNames(): readonly string[] {
    return Object.keys(this.attributes);
  }

  /** Returns the description of the link without marking it as read. */
  peekDescription(): string {
    return this.#description;
  }

  /**
   * Returns the description of the link with its line breaks, and marks the description as read. Returns an empty text
   * if the link has no description.
   */
  description(): string {
    this.#read.add(DESCRIPTION);
    return this.#description.trim();
  }

  /**
   * Returns the names of the attributes that the import report lists. These attributes contain
   * text, were not read, and are not ignored on purpose. The name `<dd>` means the description of
   * the link.
   */
  notImported(leftOut: ReadonlySet<string>): readonly string[] {
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
