const DESCRIPTION = '<dd>';
const MAX_TEXT = 10_000;
/** The maximum length of a description. The size limit of a note is smaller. */
const MAX_DESCRIPTION = 100_000;

/** A link of a document and the `<dd>` after the link. The link remembers which of its parts were read. */
export class HtmlLink {
  readonly #read = new Set<string>();
  #text = '';
  #description = '';

  constructor(private readonly attributes: Readonly<Record<string, string>>) {}

  /** The text of the link. White space is replaced with single spaces. */
  get text(): string {
    return this.#text.replaceAll(/\s+/g, ' ').trim();
  }

  /** Returns the value of an attribute. Its name must be in lower case. */
  attribute(name: string): string | undefined {
    this.#read.add(name);
    return this.attributes[name];
  }

  /** The names of the attributes in file order, in lower case. */
  get attributeNames(): readonly string[] {
    return Object.keys(this.attributes);
  }

  /** Returns the description without marking it as read. */
  peekDescription(): string {
    return this.#description;
  }

  /**
   * Returns the trimmed text of the `<dd>` after the link, with its line breaks. Returns an empty text if the link has
   * no `<dd>`.
   */
  description(): string {
    this.#read.add(DESCRIPTION);
    return this.#description.trim();
  }

  /**
   * Returns the names of the parts that have text, were not read, and are not ignored on purpose. The parts are the
   * attributes and `<dd>`.
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
