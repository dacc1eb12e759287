import { t } from './text.js';

const SAVE_AFTER_MS = 400;

/** Applies the text settings of the form to the page while the user chooses them, and saves them. */
export class TextSettings {
  /** @type {number | undefined} */
  #timer;
  /**
   * The settings that are not saved yet. Other settings are not sent, because another tab may have changed them.
   * @type {Map<string, string>}
   */
  #unsaved = new Map();
  /** The save that runs. The next save begins after it, so that the latest settings are stored. */
  #saving = Promise.resolve();

  #status = document.createElement('p');

  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    this.#status.className = 'hint status';
    this.#status.setAttribute('role', 'status');
    form.append(this.#status);
  }

  follow() {
    this.form.addEventListener('change', ({ target }) => {
      if (target instanceof HTMLInputElement) {
        document.documentElement.dataset[target.name] = target.value;
        this.#unsaved.set(target.name, target.value);
        this.#saveSoon();
      }
    });
    // The page may close before the next save.
    addEventListener('pagehide', () => {
      if (this.#timer !== undefined) {
        void this.#save();
      }
    });
  }

  #saveSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#saving = this.#saving.then(() => this.#save());
    }, SAVE_AFTER_MS);
  }

  async #save() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const settings = this.#unsaved;
    this.#unsaved = new Map();
    const token = new FormData(this.form).get('_csrf');
    const body = new URLSearchParams([
      ['_csrf', typeof token === 'string' ? token : ''],
      ...settings,
    ]);
    const headers = { Accept: 'application/json' };
    const { action } = this.form;
    const answer = await fetch(action, { method: 'POST', body, headers, keepalive: true }).catch(
      () => undefined,
    );
    if (answer?.ok !== true) {
      this.#unsaved = new Map([...settings, ...this.#unsaved]);
    }
    const failure = answer === undefined ? 'scripts.unreachable' : 'scripts.unexpectedAnswer';
    this.#status.textContent = t(answer?.ok === true ? 'scripts.appearanceSaved' : failure);
  }
}
