import { t } from './text.js';

const KEEP_EVERY_MS = 2000;
/** The smallest change of the reading position that is sent to the service. */
const LEAST_CHANGE = 0.001;

/** Stores and restores the reading position. Without scripts, a form of the page stores it. */
export class ReadingPlace {
  /** @type {number | undefined} */
  #timer;
  #hasMoved = false;
  #kept;
  #paragraphs;

  /**
   * @param {HTMLElement} reading
   * @param {HTMLElement} text
   * @param {HTMLFormElement} form
   */
  constructor(reading, text, form) {
    this.reading = reading;
    this.text = text;
    this.form = form;
    this.#kept = Number(reading.dataset.fraction);
    this.#paragraphs = [...text.querySelectorAll('[id^="p-"]')];
  }

  /** Scrolls to the reading position, unless the address has a fragment. */
  takeUp() {
    const place = document.getElementById(`p-${this.reading.dataset.paragraph ?? ''}`);
    if (place && location.hash === '') {
      history.scrollRestoration = 'manual';
      place.scrollIntoView({ behavior: 'instant' });
    }
    this.#show();
  }

  /**
   * Starts to store positions. Ignores scrolling before the first input of the user, because the page also scrolls by
   * itself.
   */
  follow() {
    for (const type of ['wheel', 'touchmove', 'keydown', 'pointerdown']) {
      addEventListener(type, () => (this.#hasMoved = true), { passive: true });
    }
    const scrolled = () => {
      this.#show();
      this.#timer ??= setTimeout(() => {
        this.keep();
      }, KEEP_EVERY_MS);
    };
    addEventListener('scroll', scrolled, { passive: true });
    const leave = () => {
      this.keep();
    };
    addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', leave);
  }

  keep() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const now = this.#fraction();
    if (!this.#hasMoved || Math.abs(now - this.#kept) < LEAST_CHANGE) {
      return;
    }
    this.#kept = now;
    const token = new FormData(this.form).get('_csrf');
    const body = new URLSearchParams({
      _csrf: typeof token === 'string' ? token : '',
      fraction: now.toFixed(4),
      paragraph: String(this.#paragraph()),
      at: String(Date.now()),
    });
    const headers = { Accept: 'application/json' };
    fetch(this.form.action, { method: 'POST', body, headers, keepalive: true }).catch(
      () => undefined,
    );
  }

  #fraction() {
    const { top, height } = this.text.getBoundingClientRect();
    const room = height - window.innerHeight;
    return room <= 0 ? Number(top < 0) : Math.min(1, Math.max(0, -top / room));
  }

  /**
   * Returns the number of the first visible paragraph. Searches by bisection, because the paragraphs are in text order.
   */
  #paragraph() {
    let [low, high] = [0, Math.max(0, this.#paragraphs.length - 1)];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const { bottom } = this.#paragraphs[middle]?.getBoundingClientRect() ?? { bottom: 0 };
      [low, high] = bottom > 0 ? [low, middle] : [middle + 1, high];
    }
    return low;
  }

  #show() {
    const left = document.getElementById('minutes-left');
    const minutes = Number(this.reading.dataset.minutes);
    if (left && minutes > 0) {
      const count = Math.ceil(minutes * (1 - this.#fraction()));
      left.textContent = t('scripts.minutesLeft', { count });
      left.hidden = false;
    }
  }
}
