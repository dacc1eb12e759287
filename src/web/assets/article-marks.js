import { copyQuote } from './copy-quote.js';
import { BASE } from './own-path.js';

/** The number of characters before a highlight that identify its position. */
const CONTEXT = 64;
/** The maximum length of a highlight in characters. For a longer selection, the buttons are not shown. */
const MOST_QUOTED = 20000;
const LAST_COLOR = `satchel${BASE}-highlight-color`;

/** White space and invisible characters, as in `passages.ts`. */
const BLANK = /[\s\u00AD\u200B-\u200D\u2060\uFEFF]+/g;

/**
 * Returns the fields that identify the place of a highlight.
 * @param {string} text The text of the article before the highlight.
 */
export const placeAfter = (text) => ({
  before: text.slice(-CONTEXT),
  offset: String(text.replaceAll(BLANK, '').length),
});

/** @typedef {{ readonly quote: string, readonly before: string, readonly offset: string, readonly note: string, readonly color: string }} NewHighlight */

/**
 * Adds a highlight through the form of the page.
 * @param {HTMLFormElement} form
 * @param {NewHighlight} highlight
 */
export function submitHighlight(form, highlight) {
  for (const [name, value] of Object.entries(highlight)) {
    const field = form.elements.namedItem(name);
    if (field !== null && 'value' in field) {
      field.value = value;
    }
  }
  form.requestSubmit();
}

/** Offers actions on the selected text: to highlight it in a color, to add a note, and to copy it as a quote. */
export class SelectionMarks {
  #selected = { quote: '', before: '', range: document.createRange() };

  /**
   * @param {HTMLElement} text
   * @param {HTMLElement} bar
   * @param {HTMLFormElement} form
   * @param {import('./highlight-panel.js').HighlightPanel} panel
   */
  constructor(text, bar, form, panel) {
    this.text = text;
    this.bar = bar;
    this.form = form;
    this.panel = panel;
  }

  follow() {
    document.addEventListener('selectionchange', () => {
      this.#select(getSelection());
    });
    // Prevents the loss of the selection when a button is pressed.
    this.bar.addEventListener('pointerdown', (event) => {
      event.preventDefault();
    });
    this.bar.addEventListener('click', ({ target }) => {
      const button = target instanceof Element ? target.closest('button') : null;
      this.mark(button?.dataset['mark'], button?.dataset['color']);
    });
    this.#showLastColor();
  }

  /**
   * @param {string | undefined} how
   * @param {string} [color] By default, the color that was used last.
   */
  mark(how, color = this.#lastColor()) {
    const { quote } = this.#selected;
    if (this.bar.hidden || quote === '') {
      return;
    }
    if (how === 'plain') {
      this.#add({ color, note: '' });
    } else if (how === 'note') {
      this.#askForNote(color);
    } else if (how === 'quote') {
      void copyQuote(quote, this.text);
    }
  }

  /** @param {import('./highlight-panel.js').HighlightValues} values */
  #add({ color, note }) {
    const { quote, before } = this.#selected;
    keepColor(color);
    submitHighlight(this.form, { quote, ...placeAfter(before), note, color });
  }

  /** @param {string} color */
  #askForNote(color) {
    const { quote, range } = this.#selected;
    const task = {
      values: { color, note: '' },
      place: () => range.getBoundingClientRect(),
      save: (/** @type {import('./highlight-panel.js').HighlightValues} */ values) => {
        this.#add(values);
        return Promise.resolve(undefined);
      },
      quote: () => copyQuote(quote, this.text),
    };
    this.panel.open(task, { focusesNote: true });
  }

  #swatches() {
    return [...this.bar.querySelectorAll('button')].filter(({ dataset }) => dataset['color']);
  }

  /** @returns {string} */
  #lastColor() {
    const colors = this.#swatches().map(({ dataset }) => dataset['color'] ?? '');
    const last = storedColor();
    return colors.find((color) => color === last) ?? colors[0] ?? '';
  }

  #showLastColor() {
    const last = this.#lastColor();
    for (const swatch of this.#swatches()) {
      swatch.classList.toggle('last', swatch.dataset['color'] === last);
    }
  }

  /** @param {Selection | null} selection */
  #select(selection) {
    const words = selection?.toString().trim() ?? '';
    const range = selection?.rangeCount ? selection.getRangeAt(0) : undefined;
    if (!range || !this.#isPassage(words, range)) {
      // The bar stays visible while one of its buttons has the focus.
      this.bar.hidden = !this.bar.contains(document.activeElement);
      return;
    }
    const before = document.createRange();
    before.setStart(this.text, 0);
    before.setEnd(range.startContainer, range.startOffset);
    this.#selected = {
      quote: words,
      before: before.toString(),
      range: range.cloneRange(),
    };
    this.bar.hidden = false;
  }

  /**
   * @param {string} words
   * @param {Range} range
   */
  #isPassage(words, range) {
    const isInside = this.text.contains(range.commonAncestorContainer);
    return isInside && words !== '' && words.length <= MOST_QUOTED;
  }
}

/** Reads the color that this browser used last. A browser may forbid storage. */
function storedColor() {
  try {
    return localStorage.getItem(LAST_COLOR);
  } catch {
    return null;
  }
}

/** @param {string} color */
function keepColor(color) {
  try {
    localStorage.setItem(LAST_COLOR, color);
  } catch {
    // The next highlight begins with the first color.
  }
}
