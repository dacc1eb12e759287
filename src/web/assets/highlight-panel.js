import { notifyOf } from './notices.js';

/**
 * The panel at a highlight, with its color, its note and its actions. Without scripts, the forms at the end of the
 * article have the same functions.
 */

/** @typedef {{ readonly color: string, readonly note: string }} HighlightValues */

/**
 * A change in the panel. Returns a function that shows a notice. The panel calls it after it is closed, because screen
 * readers do not read notices behind an open dialog.
 * @typedef {Promise<(() => void) | undefined>} PanelChange
 */

/**
 * What the panel shows and does. A task without `remove` adds a new highlight.
 * @typedef {object} PanelTask
 * @property {HighlightValues} values
 * @property {() => DOMRect} place The place of the highlight in the window.
 * @property {(color: string) => PanelChange} [recolor] Saves a color as soon as the user selects it.
 * @property {(values: HighlightValues) => PanelChange} save
 * @property {() => PanelChange} [remove]
 * @property {() => Promise<void>} quote
 */

const GAP = 8;

export class HighlightPanel {
  /** @type {PanelTask | undefined} */
  #task;
  /** The note that could not be saved. The next attempt to close the panel discards it. @type {string | undefined} */
  #failedNote;
  /** The last change. The next change waits for it, so that the service receives the changes in their order. */
  #last = Promise.resolve();

  /**
   * @param {HTMLDialogElement} dialog
   * @param {HTMLFormElement} form
   * @param {HTMLTextAreaElement} note
   */
  constructor(dialog, form, note) {
    this.dialog = dialog;
    this.form = form;
    this.note = note;
    this.#follow();
  }

  /**
   * @param {PanelTask} task
   * @param {{ readonly focusesNote?: boolean }} [options]
   */
  open(task, { focusesNote = false } = {}) {
    this.#task = task;
    this.#failedNote = undefined;
    this.note.value = task.values.note;
    this.#showRefusal('');
    for (const radio of this.#radios()) {
      radio.checked = radio.value === task.values.color;
    }
    this.#button('delete').hidden = task.remove === undefined;
    this.dialog.showModal();
    this.#moveTo(task.place());
    const first = focusesNote ? this.note : this.#radios().find(({ checked }) => checked);
    first?.focus();
  }

  #follow() {
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#save();
    });
    this.form.addEventListener('change', ({ target }) => {
      const recolor = this.#task?.recolor;
      if (target instanceof HTMLInputElement && recolor !== undefined) {
        void this.#try(() => recolor(target.value), { closes: false });
      }
    });
    this.dialog.addEventListener('click', ({ target }) => {
      this.#do(target === this.dialog ? 'close' : actionOf(target));
    });
    addEventListener(
      'scroll',
      () => {
        this.#followScroll();
      },
      { passive: true },
    );
    this.dialog.addEventListener('cancel', (event) => {
      if (this.#isUnsaved()) {
        event.preventDefault();
        this.#close();
      }
    });
  }

  /** @param {string | undefined} action */
  #do(action) {
    const task = this.#task;
    if (action === 'close') {
      this.#close();
    } else if (action === 'delete') {
      void this.#try(() => task?.remove?.());
    } else if (action === 'quote') {
      this.#close();
      void task?.quote();
    }
  }

  /** Closes the panel. Saves a changed note first, so that it is not lost. */
  #close() {
    if (this.#isUnsaved()) {
      void this.#save();
    } else {
      this.dialog.close();
    }
  }

  #isUnsaved() {
    const { value } = this.note;
    return value !== this.#failedNote && value !== this.#task?.values.note;
  }

  async #save() {
    const task = this.#task;
    const values = this.#values();
    const isSaved = await this.#try(() => task?.save(values));
    this.#failedNote = isSaved ? undefined : values.note;
  }

  /**
   * Makes a change after the earlier changes. Returns false if it failed.
   * @param {() => PanelChange | undefined} work
   * @param {{ readonly closes: boolean }} [options]
   */
  async #try(work, { closes } = { closes: true }) {
    const task = this.#task;
    const change = this.#last.then(work);
    this.#last = change.then(nothing, nothing);
    try {
      const showNotice = await change;
      if (closes) {
        this.dialog.close();
        showNotice?.();
      }
      return true;
    } catch (error) {
      if (this.dialog.open && task === this.#task) {
        this.#showRefusal(error instanceof Error ? error.message : String(error));
      } else {
        notifyOf(error);
      }
      return false;
    }
  }

  /** @returns {HighlightValues} */
  #values() {
    const color = this.#radios().find(({ checked }) => checked)?.value ?? '';
    return { color, note: this.note.value };
  }

  #radios() {
    return [...this.form.querySelectorAll('input')].filter(({ type }) => type === 'radio');
  }

  /** @param {string} action */
  #button(action) {
    const button = this.form.querySelector(`[data-do="${action}"]`);
    if (!(button instanceof HTMLButtonElement)) {
      throw new Error(`the panel has no button ${action}`);
    }
    return button;
  }

  /** @param {string} text */
  #showRefusal(text) {
    const place = this.form.querySelector('[role=alert]');
    if (place) {
      place.textContent = text;
    }
  }

  /**
   * Moves the panel to the highlight. On phones, the panel is at the bottom of the window, so the page scrolls if the
   * panel covers the highlight.
   * @param {DOMRect} place
   */
  #moveTo(place) {
    const { width, top } = this.dialog.getBoundingClientRect();
    if (width >= innerWidth) {
      scrollBy(0, Math.max(0, place.bottom + GAP - top));
    } else {
      this.#moveBeside(place);
    }
  }

  /** The panel stays at the highlight, because the page may still be scrolling when the user opens the panel. */
  #followScroll() {
    const isBeside = this.dialog.open && this.dialog.offsetWidth < innerWidth;
    if (isBeside && this.#task !== undefined) {
      this.#moveBeside(this.#task.place());
    }
  }

  /**
   * Moves the panel below the highlight, or above it if the window has no room below.
   * @param {DOMRect} place
   */
  #moveBeside(place) {
    const { width, height } = this.dialog.getBoundingClientRect();
    const below = place.bottom + GAP;
    const hasRoom = below + height + GAP <= innerHeight;
    const above = Math.max(GAP, place.top - GAP - height);
    const left = Math.max(GAP, Math.min(place.left, innerWidth - width - GAP));
    this.dialog.style.setProperty('--panel-top', `${hasRoom ? below : above}px`);
    this.dialog.style.setProperty('--panel-left', `${left}px`);
  }
}

const nothing = () => undefined;

/** @param {EventTarget | null} target */
const actionOf = (target) =>
  target instanceof Element
    ? (target.closest('[data-do]')?.getAttribute('data-do') ?? undefined)
    : undefined;
