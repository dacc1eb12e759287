/** The windows in which the table of contents stands beside the text (article.css). */
const BESIDE = '(min-width: 78rem)';

/** Opens the table of contents where it has room, and marks the part of the article that the user reads. */
export class Contents {
  /** @type {readonly HTMLAnchorElement[]} */
  #links;
  #isDue = false;

  /** @param {HTMLElement} list */
  constructor(list) {
    this.list = list;
    this.#links = [...list.querySelectorAll('a')];
  }

  follow() {
    const isWide = document.documentElement.dataset['width'] === 'wide';
    if (!isWide && matchMedia(BESIDE).matches) {
      this.#open();
    }
    const openByLink = () => {
      if (location.hash === `#${this.list.id}`) {
        this.#open();
        this.list.scrollIntoView();
      }
    };
    addEventListener('hashchange', openByLink);
    openByLink();
    addEventListener(
      'scroll',
      () => {
        this.#markSoon();
      },
      { passive: true },
    );
    this.#mark();
  }

  #open() {
    this.list.closest('details')?.setAttribute('open', '');
  }

  #markSoon() {
    if (!this.#isDue) {
      this.#isDue = true;
      requestAnimationFrame(() => {
        this.#isDue = false;
        this.#mark();
      });
    }
  }

  /** Marks the last heading above the middle of the window. */
  #mark() {
    const passed = this.#links.filter((link) => {
      const heading = document.getElementById(link.hash.slice(1));
      return heading !== null && heading.getBoundingClientRect().top < innerHeight / 2;
    });
    const current = passed.at(-1);
    for (const link of this.#links) {
      if (link === current) {
        link.setAttribute('aria-current', 'true');
      } else {
        link.removeAttribute('aria-current');
      }
    }
  }
}
