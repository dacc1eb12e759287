const CONTEXT = 64;
/** The maximum length of a highlight in characters. For a longer selection, the buttons are not shown. */
const MOST_QUOTED = 20000;

/** Highlights the selected text through the form of the page. */
export class SelectionMarks {
  #selected = { quote: '', before: '' };

  /**
   * @param {HTMLElement} text
   * @param {HTMLElement} bar
   * @param {HTMLFormElement} form
   */
  constructor(text, bar, form) {
    this.text = text;
    this.bar = bar;
    this.form = form;
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
      this.mark(target instanceof HTMLElement ? target.dataset.mark : undefined);
    });
  }

  /** @param {string | undefined} how */
  mark(how) {
    if (this.bar.hidden || this.#selected.quote === '') {
      return;
    }
    this.#fill('quote', this.#selected.quote);
    this.#fill('before', this.#selected.before);
    if (how !== 'note') {
      this.form.requestSubmit();
      return;
    }
    this.form.closest('details')?.setAttribute('open', '');
    document.getElementById('note')?.focus();
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
    this.#selected = { quote: words, before: before.toString().slice(-CONTEXT) };
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

  /**
   * @param {string} name
   * @param {string} value
   */
  #fill(name, value) {
    const field = this.form.elements.namedItem(name);
    if (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) {
      field.value = value;
    }
  }
}
