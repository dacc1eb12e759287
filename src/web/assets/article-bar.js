/** The smallest distance in pixels after which the bar hides or returns. */
const LEAST_SCROLL = 12;
/** The events with which a user scrolls. */
const INPUTS = ['wheel', 'touchmove', 'keydown'];
const SCROLL_KEYS = new Set([' ', 'ArrowDown', 'PageDown']);
/** The time after such an event in which a scroll counts as the user's. */
const INPUT_MS = 1000;

/** Hides the bar of an article while the user scrolls down. Closes the menus of the bar. */
export class ReadingBar {
  #lastY = scrollY;
  #inputAt = -INPUT_MS;

  /** @param {HTMLElement} bar */
  constructor(bar) {
    this.bar = bar;
  }

  follow() {
    for (const input of INPUTS) {
      addEventListener(
        input,
        (event) => {
          this.#noteInput(event);
        },
        { passive: true },
      );
    }
    addEventListener(
      'scroll',
      () => {
        this.#move();
      },
      { passive: true },
    );
    document.addEventListener('pointerdown', ({ target }) => {
      this.#closeUnless(target);
    });
    this.bar.addEventListener('click', ({ target }) => {
      // A link to a part of this page leaves its menu open otherwise.
      if (target instanceof Element && target.closest('a[href^="#"]') !== null) {
        this.#closeUnless(null);
      }
    });
    document.addEventListener('keydown', (event) => {
      this.#leave(event);
    });
  }

  /** @param {Event} event */
  #noteInput(event) {
    if (!(event instanceof KeyboardEvent) || SCROLL_KEYS.has(event.key)) {
      this.#inputAt = performance.now();
    }
  }

  #move() {
    const y = Math.max(0, scrollY);
    if (Math.abs(y - this.#lastY) < LEAST_SCROLL) {
      return;
    }
    const end = document.documentElement.scrollHeight - innerHeight;
    const isAtEdge = y < 2 * this.bar.offsetHeight || y > end - LEAST_SCROLL;
    if (y < this.#lastY || isAtEdge) {
      this.bar.classList.remove('away');
    } else if (performance.now() - this.#inputAt < INPUT_MS) {
      // The page also scrolls itself, for example to the stored reading position. Then the bar stays.
      this.bar.classList.add('away');
    }
    this.#lastY = y;
  }

  /** @returns {HTMLDetailsElement[]} */
  #open() {
    return [...this.bar.querySelectorAll('details')].filter(({ open }) => open);
  }

  /** @param {EventTarget | null} target */
  #closeUnless(target) {
    for (const menu of this.#open()) {
      menu.open = target instanceof Node && menu.contains(target);
    }
  }

  /**
   * Closes the open menu, and focuses the control that has opened it.
   * @param {KeyboardEvent} event
   */
  #leave(event) {
    const [menu] = this.#open();
    if (event.key === 'Escape' && menu !== undefined) {
      event.preventDefault();
      menu.open = false;
      menu.querySelector('summary')?.focus();
    }
  }
}
