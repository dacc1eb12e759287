import { t } from './text.js';

/**
 * The buttons of the player. `previous` and `next` skip a sentence.
 * @typedef {'play' | 'previous' | 'next' | 'previousParagraph' | 'nextParagraph' | 'back' | 'close'} Control
 */

/**
 * What the buttons do, and what the lists of speeds and voices do.
 * @typedef {Record<Control, () => void> & { speed: (speed: string) => void, voice: (voiceUri: string) => void }} Actions
 */

/** The bar of the player at the end of the window: shows the state, and reports what the user does. */
export class Controls {
  #speed;
  #voice;
  #status;

  /**
   * @param {HTMLElement} bar
   * @param {HTMLElement} opener The button that opens the player.
   */
  constructor(bar, opener) {
    this.bar = bar;
    this.opener = opener;
    this.#speed = selectIn(bar, 'speed');
    this.#voice = selectIn(bar, 'voice');
    this.#status = bar.querySelector('[role=status]');
    new ResizeObserver(() => {
      this.#reserveHeight();
    }).observe(bar);
  }

  /** @param {Actions} actions */
  bind(actions) {
    for (const button of this.bar.querySelectorAll('[data-listen]')) {
      button.addEventListener('click', actions[controlOf(button)]);
    }
    this.#speed.addEventListener('change', () => {
      actions.speed(this.#speed.value);
    });
    this.#voice.addEventListener('change', () => {
      actions.voice(this.#voice.value);
    });
  }

  /** @param {string} speed */
  open(speed) {
    this.bar.hidden = false;
    this.opener.setAttribute('aria-expanded', 'true');
    this.#speed.value = speed;
    this.#reserveHeight();
    this.#button('play')?.focus({ preventScroll: true });
  }

  close() {
    const hadFocus = this.bar.contains(document.activeElement);
    this.bar.hidden = true;
    this.opener.setAttribute('aria-expanded', 'false');
    this.#reserveHeight();
    if (hadFocus) {
      this.opener.focus({ preventScroll: true });
    }
  }

  /** @param {boolean} isPlaying */
  showPlaying(isPlaying) {
    const label = t(isPlaying ? 'scripts.listenPause' : 'scripts.listenPlay');
    const play = this.#button('play');
    play?.setAttribute('aria-label', label);
    play?.setAttribute('title', label);
    this.bar.classList.toggle('playing', isPlaying);
  }

  /**
   * Shows the button that scrolls back to the spoken sentence.
   * @param {boolean} isOutOfView
   */
  showBack(isOutOfView) {
    const back = this.#button('back');
    if (back) {
      back.hidden = !isOutOfView;
    }
  }

  /**
   * @param {readonly SpeechSynthesisVoice[]} voices
   * @param {SpeechSynthesisVoice | undefined} chosen
   */
  showVoices(voices, chosen) {
    const options = voices.map((voice) => {
      const name = voice.localService
        ? voice.name
        : t('scripts.listenOnline', { name: voice.name });
      return new Option(name, voice.voiceURI, false, voice === chosen);
    });
    this.#voice.replaceChildren(...options);
  }

  /** @param {string} message */
  say(message) {
    if (this.#status) {
      this.#status.textContent = message;
    }
  }

  /**
   * Selects the next faster or slower speed.
   * @param {1 | -1} step
   */
  stepSpeed(step) {
    const index = this.#speed.selectedIndex + step;
    if (index >= 0 && index < this.#speed.options.length) {
      this.#speed.selectedIndex = index;
      this.#speed.dispatchEvent(new Event('change'));
    }
  }

  /** @param {Control} name */
  #button(name) {
    const button = this.bar.querySelector(`[data-listen="${name}"]`);
    return button instanceof HTMLElement ? button : undefined;
  }

  /** Lets the style sheets keep the end of the page above the bar. */
  #reserveHeight() {
    document.documentElement.style.setProperty('--player', `${this.bar.offsetHeight}px`);
  }
}

/** @param {Element} button */
const controlOf = (button) => /** @type {Control} */ (button.getAttribute('data-listen'));

/**
 * @param {HTMLElement} bar
 * @param {string} name
 */
function selectIn(bar, name) {
  const select = bar.querySelector(`[name="${name}"]`);
  return select instanceof HTMLSelectElement ? select : document.createElement('select');
}
