import { queueChange } from './queue-change.js';
import { t } from './text.js';

const KEEP_EVERY_MS = 2000;
/** The smallest change of the reading position that is sent to the service. */
const LEAST_CHANGE = 0.001;
/** From this reading position on, the article counts as read. */
const READ = 0.99;

/** Stores and restores the reading position. Without scripts, a form of the page stores it. */
export class ReadingPlace {
  /** @type {number | undefined} */
  #timer;
  #hasMoved = false;
  #hasScrolled = false;
  /**
   * The paragraph that is spoken. While the user listens, it is the reading position instead of the first visible one.
   * @type {number | undefined}
   */
  #spoken;
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
      this.#hasScrolled ||= this.#hasMoved;
      this.#show();
      this.#keepSoon();
    };
    addEventListener('scroll', scrolled, { passive: true });
    const leave = () => {
      this.keep();
    };
    addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', leave);
  }

  /** Returns the number of the paragraph at which listening starts. */
  get start() {
    if (this.#spoken !== undefined) {
      return Number.isFinite(this.#spoken) ? this.#spoken : 0;
    }
    const stored = this.#storedParagraph();
    if (stored > 0 && !this.#hasScrolled && location.hash === '') {
      return stored;
    }
    return this.text.getBoundingClientRect().top > 0 ? 0 : this.#paragraph();
  }

  /** Returns the paragraph of the reading position when the page was opened, or 0 if the article was read to the end. */
  #storedParagraph() {
    const stored = Number(this.reading.dataset.paragraph ?? 0);
    return stored === this.#paragraphs.length - 1 && this.#kept >= READ ? 0 : stored;
  }

  /**
   * Makes a paragraph the reading position, wherever the page is scrolled to.
   * @param {number} paragraph
   */
  listen(paragraph) {
    this.#spoken = paragraph;
    this.#hasMoved = true;
    this.#show();
    this.#keepSoon();
  }

  /** Makes the end of the article the reading position. */
  listenToEnd() {
    this.listen(Infinity);
  }

  /** Ends listening: the reading position follows the scrolling again. */
  release() {
    this.#spoken = undefined;
  }

  #keepSoon() {
    this.#timer ??= setTimeout(() => {
      this.keep();
    }, KEEP_EVERY_MS);
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
    this.#send(body);
  }

  /**
   * Sends the position, or queues it without a network. If the browser knows that there is no network, queues the
   * position at once, because the page may be closing.
   * @param {URLSearchParams} body
   */
  #send(body) {
    const { action } = this.form;
    if (!navigator.onLine) {
      queueChange(action, body);
      return;
    }
    const headers = { Accept: 'application/json' };
    fetch(action, { method: 'POST', body, headers, keepalive: true }).catch(() => {
      queueChange(action, body);
    });
  }

  #fraction() {
    const { top, height } = this.text.getBoundingClientRect();
    if (this.#spoken !== undefined) {
      const above = this.#paragraphs[this.#spoken]?.getBoundingClientRect().top;
      return above === undefined ? Number(this.#spoken > 0) : Math.max(0, (above - top) / height);
    }
    const room = height - window.innerHeight;
    return room <= 0 ? Number(top < 0) : Math.min(1, Math.max(0, -top / room));
  }

  /**
   * Returns the number of the first visible paragraph. Searches by bisection, because the paragraphs are in text order.
   */
  #paragraph() {
    let [low, high] = [0, Math.max(0, this.#paragraphs.length - 1)];
    if (this.#spoken !== undefined) {
      return Math.min(this.#spoken, high);
    }
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
      left.hidden = count === 0;
    }
  }
}
