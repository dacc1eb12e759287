/** @typedef {import('./listen-sentences.js').Place} Place */

const NAME = 'spoken';
/** The distance of a spoken sentence from the edge of the window at which the page scrolls, in pixels. */
const MARGIN = 24;
/** The part of the window above a sentence to which the page has scrolled. */
const ABOVE = 0.25;
const SCROLL_KEYS = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', ' ']);

/** Marks the spoken sentence and keeps it in view, except while the user scrolls. */
export class SpokenSentence {
  /** @type {Range | undefined} */
  #range;
  #hasScrolledAway = false;

  /**
   * @param {HTMLElement} reading
   * @param {HTMLElement} bar The player, which covers the end of the window.
   */
  constructor(reading, bar) {
    this.bar = bar;
    this.paint = 'highlights' in CSS ? paintHighlight : layerOn(reading);
    new ResizeObserver(() => {
      this.paint(this.#range);
    }).observe(reading);
  }

  /**
   * Calls a function when the user scrolls.
   * @param {() => void} scrolled
   */
  onScroll(scrolled) {
    const away = () => {
      this.#hasScrolledAway = true;
      scrolled();
    };
    for (const type of ['wheel', 'touchmove', 'keydown', 'pointerdown']) {
      addEventListener(
        type,
        (event) => {
          if (this.#scrolls(event)) {
            away();
          }
        },
        { passive: true },
      );
    }
  }

  /**
   * Marks a sentence. Scrolls to the sentence, unless the user has scrolled away from the previous one.
   * @param {Place} place
   */
  show({ startContainer, startOffset, endContainer, endOffset }) {
    const range = document.createRange();
    range.setStart(startContainer, startOffset);
    range.setEnd(endContainer, endOffset);
    this.#range = range;
    this.paint(range);
    if (!this.isOutOfView) {
      this.follow();
    }
  }

  /** Scrolls to the sentence, and keeps the next ones in view. */
  follow() {
    this.#hasScrolledAway = false;
    const { top, bottom } = this.#range?.getBoundingClientRect() ?? { top: MARGIN, bottom: MARGIN };
    if (top < MARGIN || bottom > this.#end - MARGIN) {
      scrollBy({ top: top - this.#end * ABOVE });
    }
  }

  clear() {
    this.#range = undefined;
    this.#hasScrolledAway = false;
    this.paint(undefined);
  }

  /** True if the user has scrolled until the sentence was out of view. */
  get isOutOfView() {
    const { top, bottom } = this.#range?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
    return this.#hasScrolledAway && (bottom < 0 || top > this.#end);
  }

  get #end() {
    return innerHeight - this.bar.offsetHeight;
  }

  /** @param {Event} event */
  #scrolls(event) {
    const { target } = event;
    if (event instanceof KeyboardEvent) {
      const isControl =
        target instanceof Element && target.matches('button, input, select, textarea');
      return SCROLL_KEYS.has(event.key) && !isControl;
    }
    // A press on the root element is on the scroll bar.
    return event.type === 'pointerdown'
      ? target === document.documentElement
      : !(target instanceof Node && this.bar.contains(target));
  }
}

/** @param {Range | undefined} range */
function paintHighlight(range) {
  if (range === undefined) {
    CSS.highlights.delete(NAME);
  } else {
    CSS.highlights.set(NAME, new Highlight(range));
  }
}

/**
 * Returns a function that marks a range with boxes over the text. Elements in the text would change the selection, and
 * the places of other sentences.
 * @param {HTMLElement} reading
 * @returns {(range: Range | undefined) => void}
 */
function layerOn(reading) {
  const layer = document.createElement('div');
  layer.className = 'spoken-layer';
  layer.setAttribute('aria-hidden', 'true');
  reading.append(layer);
  return (range) => {
    const { left, top } = layer.getBoundingClientRect();
    const boxes = [...(range?.getClientRects() ?? [])].map((rect) => {
      const box = document.createElement('div');
      box.style.left = `${rect.left - left}px`;
      box.style.top = `${rect.top - top}px`;
      box.style.width = `${rect.width}px`;
      box.style.height = `${rect.height}px`;
      return box;
    });
    layer.replaceChildren(...boxes);
  };
}
