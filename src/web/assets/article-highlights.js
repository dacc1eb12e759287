import { placeAfter, submitHighlight } from './article-marks.js';
import { copyQuote } from './copy-quote.js';
import { notify } from './notices.js';
import { postForm } from './post-form.js';
import { t } from './text.js';

/** Opens the panel at the highlights of an article, and shows the changes in the article and below it. */
export class ArticleHighlights {
  /**
   * @param {HTMLElement} text
   * @param {import('./highlight-panel.js').HighlightPanel} panel
   * @param {HTMLFormElement} form The form that adds a highlight.
   */
  constructor(text, panel, form) {
    this.text = text;
    this.panel = panel;
    this.form = form;
  }

  follow() {
    for (const mark of this.#marks()) {
      unlink(mark);
    }
    this.#describeMarks();
    this.text.addEventListener('click', ({ target }) => {
      const mark = target instanceof Element ? target.closest('mark[data-top]') : null;
      const isButton = mark instanceof HTMLElement && !isInLink(mark);
      if (isButton && mark.dataset['top'] && getSelection()?.isCollapsed) {
        this.#open(mark, mark.dataset['top']);
      }
    });
    this.text.addEventListener('keydown', (event) => {
      const { target, key } = event;
      const id = target instanceof HTMLElement ? target.dataset['top'] : undefined;
      if (target instanceof HTMLElement && id && (key === 'Enter' || key === ' ')) {
        event.preventDefault();
        this.#open(target, id);
      }
    });
  }

  /**
   * @param {HTMLElement} mark
   * @param {string} id
   */
  #open(mark, id) {
    const entry = entryOf(id);
    if (entry === undefined) {
      return;
    }
    mark.focus({ preventScroll: true });
    this.panel.open({
      values: { color: entry.color, note: entry.note.defaultValue },
      place: () => mark.getBoundingClientRect(),
      recolor: (color) => this.#change(id, { color }),
      save: async (values) => {
        await this.#change(id, { ...values });
        return () => {
          notify(t('scripts.highlightSaved'), undefined);
        };
      },
      remove: () => this.#remove(id),
      quote: () => copyQuote(entry.quote, mark),
    });
  }

  /**
   * @param {string} id
   * @param {{ color: string, note?: string }} values
   */
  async #change(id, values) {
    const entry = entryOf(id);
    if (entry === undefined) {
      return undefined;
    }
    await postForm(entry.changeForm, { highlight: id, ...values });
    showValues(entry, { color: values.color, note: values.note?.trim() });
    this.#describeMarks();
    return undefined;
  }

  /** @param {string} id */
  async #remove(id) {
    const entry = entryOf(id);
    if (entry === undefined) {
      return undefined;
    }
    await postForm(entry.deleteForm, { highlight: id });
    const { quote, color } = entry;
    const removed = {
      quote,
      color,
      note: entry.note.defaultValue,
      ...placeAfter(this.#before(id)),
    };
    entry.element.remove();
    for (const mark of this.#marks()) {
      unmark(mark, id);
    }
    this.#describeMarks();
    return () => {
      notify(t('scripts.highlightDeleted'), () => {
        submitHighlight(this.form, removed);
      });
    };
  }

  /**
   * Returns the text before a highlight, with which the highlight is found again.
   * @param {string} id
   */
  #before(id) {
    const mark = this.#marks().find((one) => idsOf(one).includes(id));
    const before = document.createRange();
    before.setStart(this.text, 0);
    before.setEndBefore(mark ?? this.text);
    return before.toString();
  }

  /**
   * Shows the color of each mark. The first mark of each highlight becomes a button with a description, in the order of
   * the Tab key.
   */
  #describeMarks() {
    const seen = new Set();
    for (const mark of this.#marks()) {
      const id = mark.dataset['top'] ?? '';
      const entry = entryOf(id);
      mark.dataset['color'] = entry?.color ?? '';
      if (entry !== undefined && !isInLink(mark)) {
        showAsButton(mark, seen.has(id) ? undefined : entry);
        seen.add(id);
      }
    }
  }

  #marks() {
    return [...this.text.querySelectorAll('mark[data-top]')].filter(
      (mark) => mark instanceof HTMLElement,
    );
  }
}

/**
 * Removes the link from a mark, because users cannot select words of a link.
 * @param {HTMLElement} mark
 */
function unlink(mark) {
  const link = mark.querySelector(':scope > a');
  link?.replaceWith(...link.childNodes);
}

/**
 * @param {HTMLElement} mark
 * @param {Entry | undefined} entry Undefined if another mark of the same highlight is the button.
 */
function showAsButton(mark, entry) {
  mark.tabIndex = entry === undefined ? -1 : 0;
  mark.title = entry === undefined ? '' : describe(entry.color, entry.note.defaultValue);
  mark.role = entry === undefined ? null : 'button';
  mark.ariaHasPopup = entry === undefined ? null : 'dialog';
}

/** A mark in a link of the article is not a button, because a click follows the link. @param {HTMLElement} mark */
const isInLink = (mark) => mark.closest('a') !== null;

/** @param {HTMLElement} mark */
const idsOf = (mark) => (mark.dataset['highlights'] ?? '').split(' ');

/**
 * Removes a highlight from a mark. If another highlight covers the same words, the mark shows that highlight.
 * @param {HTMLElement} mark
 * @param {string} id
 */
function unmark(mark, id) {
  const rest = idsOf(mark).filter((one) => one !== id);
  if (rest.length === 0) {
    mark.replaceWith(...mark.childNodes);
    return;
  }
  mark.dataset['highlights'] = rest.join(' ');
  if (mark.id === `highlight-${id}`) {
    mark.removeAttribute('id');
  }
  if (mark.dataset['top'] === id) {
    mark.dataset['top'] = rest.reduce((top, one) => (lengthOf(one) <= lengthOf(top) ? one : top));
  }
}

/** Returns the number of characters of a highlight, without white space. @param {string} id */
const lengthOf = (id) => entryOf(id)?.quote.replaceAll(/\s/g, '').length ?? Infinity;

/**
 * A highlight in the list below the article.
 * @typedef {object} Entry
 * @property {HTMLElement} element
 * @property {string} color
 * @property {string} quote
 * @property {HTMLTextAreaElement} note The field with the note. Its default value is the stored note.
 * @property {HTMLFormElement} changeForm
 * @property {HTMLFormElement} deleteForm
 */

/**
 * @param {string} id
 * @returns {Entry | undefined}
 */
function entryOf(id) {
  const element = document.getElementById(`note-${id}`);
  if (element === null) {
    return undefined;
  }
  const [changeForm, deleteForm] = element.querySelectorAll('form');
  const note = element.querySelector('textarea');
  const quote = element.querySelector('blockquote')?.textContent ?? '';
  return changeForm && deleteForm && note
    ? { element, color: element.dataset['color'] ?? '', quote, note, changeForm, deleteForm }
    : undefined;
}

/**
 * Shows the color and the note of a highlight below the article. Without a note, leaves the note and its field as they
 * are.
 * @param {Entry} entry
 * @param {{ readonly color: string, readonly note: string | undefined }} values
 */
function showValues({ element, note: field, changeForm }, { color, note }) {
  element.dataset['color'] = color;
  for (const radio of changeForm.querySelectorAll('input')) {
    radio.checked = radio.value === color;
  }
  const name = element.querySelector('.color-name');
  const label = changeForm.querySelector(`span[data-color="${color}"]`);
  if (name && label) {
    name.textContent = label.textContent;
  }
  if (note === undefined) {
    return;
  }
  field.defaultValue = note;
  field.value = note;
  element.querySelector('.note')?.remove();
  if (note !== '') {
    const words = document.createElement('p');
    words.className = 'note';
    words.dir = 'auto';
    words.textContent = note;
    element.querySelector('blockquote')?.after(words);
  }
}

/**
 * Returns the description of a highlight for users who do not see its color.
 * @param {string} color
 * @param {string} note
 */
function describe(color, note) {
  const button = document.querySelector(`#selection-bar [data-color="${color}"]`);
  return button?.getAttribute(note === '' ? 'data-plain' : 'data-noted') ?? '';
}
