/** A heading of an article, for a table of contents. */
export interface ShownHeading {
  /** The number of the paragraph that is the heading. */
  readonly paragraph: number;
  /** The level of the heading from 2 to 6. */
  readonly level: number;
  readonly text: string;
}

const MOST_HEADINGS = 200;
const MOST_CHARACTERS = 200;

/** Collects the headings of an article while its HTML is written. */
export class HeadingTexts {
  private readonly found: ShownHeading[] = [];
  private open: { readonly paragraph: number; readonly level: number } | undefined;
  private text = '';

  /** Begins a heading. A heading inside another heading is part of the outer heading. */
  begin(paragraph: number, level: number): void {
    this.open ??= { paragraph, level };
  }

  add(text: string): void {
    if (this.open !== undefined && this.text.length < MOST_CHARACTERS) {
      this.text += text;
    }
  }

  end(): void {
    const text = this.text.replaceAll(/\s+/g, ' ').trim();
    if (this.open !== undefined && text !== '' && this.found.length < MOST_HEADINGS) {
      this.found.push({ ...this.open, text: text.slice(0, MOST_CHARACTERS).toWellFormed() });
    }
    this.open = undefined;
    this.text = '';
  }

  all(): readonly ShownHeading[] {
    return this.found;
  }
}
