import { MediaKeys } from './listen-media.js';
import { indexAt, sentencesOf } from './listen-sentences.js';
import { Speech } from './listen-speech.js';
import { speakAlone } from './listen-tabs.js';
import { SpokenSentence } from './listen-view.js';
import { rememberedSpeed, rememberSpeed, VoiceChoice } from './listen-voices.js';
import { language as ownLanguage, t } from './text.js';

/**
 * @typedef {object} Article
 * @property {HTMLElement} reading The element that contains the title and the text.
 * @property {HTMLElement} title
 * @property {HTMLElement} text
 * @property {string} site
 * @property {string} language The language of the text. Empty if it is unknown.
 * @property {string | undefined} nextHref The path of the next unread article.
 * @property {string} skipped The number of unread items without text before the next unread article.
 */

/** The parameter in the address of an article that continues listening there. Its value is the number of skipped items. */
export const LISTEN = 'listen';
/** Errors after which the user can go on by pressing Play. */
const STOPPED = new Set(['not-allowed', 'interrupted', 'canceled', 'audio-busy']);

/** Speaks an article sentence by sentence, and shows the sentence in the page. */
export class Player {
  isOpen = false;
  #isPlaying = false;
  /** @type {import('./listen-sentences.js').Sentence[]} */
  #sentences = [];
  #index = 0;
  /** Is shown until the title has been spoken. */
  #notice = '';

  /**
   * @param {Article} article
   * @param {import('./article-place.js').ReadingPlace} place
   * @param {import('./listen-controls.js').Controls} controls
   */
  constructor(article, place, controls) {
    this.article = article;
    this.place = place;
    this.controls = controls;
    this.view = new SpokenSentence(article.reading, controls.bar);
    this.voices = new VoiceChoice(speechSynthesis, article.language);
    this.speech = new Speech(speechSynthesis, {
      ended: () => {
        this.#goOn();
      },
      failed: (reason) => {
        this.#fail(reason);
      },
    });
    this.media = new MediaKeys(article, this);
    this.silenceOthers = speakAlone(this.#pauseIfPlaying);
    this.#watchPage();
  }

  toggle = () => {
    if (!this.isOpen) {
      this.#open();
    }
    if (this.#isPlaying) {
      this.pause();
    } else {
      this.play();
    }
  };

  /**
   * Starts to speak after another article, and says how many items without text were skipped.
   * @param {number} skipped
   */
  openAfter(skipped) {
    this.#notice = skipped > 0 ? t('scripts.listenSkipped', { count: skipped }) : '';
    this.toggle();
  }

  play = () => {
    const sentence = this.#sentences[this.#index];
    if (sentence === undefined) {
      return;
    }
    if (!this.#isPlaying) {
      this.silenceOthers();
    }
    this.#showPlaying(true);
    this.#show(sentence);
    const isForeign = sentence.isNotice && !this.voices.isFor(ownLanguage);
    const voice = isForeign ? undefined : this.voices.voice;
    const lang = isForeign ? ownLanguage : this.article.language;
    this.speech.speak(sentence.text, { voice, lang, rate: Number(rememberedSpeed()) });
    this.media.play();
  };

  pause = () => {
    this.speech.stop();
    this.#showPlaying(false);
    this.media.pause();
    this.place.keep();
  };

  previous = () => {
    this.#go(this.#index - 1);
  };

  next = () => {
    this.#go(this.#index + 1);
  };

  /** Goes to the start of the paragraph, or from there to the start of the previous paragraph. */
  previousParagraph = () => {
    const start = this.#paragraphStart(this.#index);
    this.#go(start < this.#index ? start : this.#paragraphStart(start - 1));
  };

  nextParagraph = () => {
    const block = this.#sentences[this.#index]?.block;
    const next = this.#sentences.findIndex(
      (sentence, index) => index > this.#index && sentence.block !== block,
    );
    this.#go(next < 0 ? this.#sentences.length - 1 : next);
  };

  /** Scrolls to the spoken sentence after the user has scrolled away. */
  showSentence = () => {
    this.view.follow();
    this.controls.showBack(false);
  };

  /** @param {string} speed */
  setSpeed = (speed) => {
    rememberSpeed(speed);
    this.#speakAgain();
  };

  /** @param {string} voiceUri */
  setVoice = (voiceUri) => {
    this.voices.choose(voiceUri);
    this.#speakAgain();
  };

  close = () => {
    this.pause();
    this.isOpen = false;
    this.view.clear();
    this.media.stop();
    this.controls.showBack(false);
    this.controls.close();
  };

  loadVoices() {
    this.voices.load();
    this.controls.showVoices(this.voices.voices, this.voices.voice);
  }

  #open() {
    const { title, text, language } = this.article;
    this.isOpen = true;
    this.#sentences = sentencesOf([title, text], language);
    this.#index = indexAt(this.#sentences, this.place.start);
    // Forget scrolling from before the player was open.
    this.view.clear();
    this.loadVoices();
    this.controls.open(rememberedSpeed());
  }

  #watchPage() {
    this.view.onScroll(() => {
      if (!this.#isPlaying) {
        this.place.release();
      }
    });
    addEventListener('scroll', () => {
      this.controls.showBack(this.view.isOutOfView);
    });
    // Chromium would go on speaking after the page is left.
    addEventListener('pagehide', this.#pauseIfPlaying);
  }

  #pauseIfPlaying = () => {
    if (this.#isPlaying) {
      this.pause();
    }
  };

  /** Speaks the next sentence. After the last one, opens the next article, which goes on speaking. */
  #goOn() {
    if (this.#index + 1 < this.#sentences.length) {
      this.#index += 1;
      this.#notice = '';
      this.play();
      return;
    }
    this.#index = 0;
    this.view.clear();
    this.place.listenToEnd();
    this.pause();
    const { nextHref } = this.article;
    if (nextHref === undefined) {
      this.controls.say(t('scripts.listenEnd'));
      return;
    }
    const url = new URL(nextHref, location.href);
    url.searchParams.set(LISTEN, this.article.skipped);
    location.assign(url);
  }

  /** @param {string} reason */
  #fail(reason) {
    const hasStopped = STOPPED.has(reason);
    // A voice of another server fails without a network.
    if (!hasStopped && this.voices.useLocal()) {
      this.controls.showVoices(this.voices.voices, this.voices.voice);
      this.play();
      return;
    }
    this.pause();
    this.controls.say(t(hasStopped ? 'scripts.listenStopped' : 'scripts.listenFailed'));
  }

  /** @param {number} index */
  #go(index) {
    this.#index = Math.min(this.#sentences.length - 1, Math.max(0, index));
    const sentence = this.#sentences[this.#index];
    if (this.#isPlaying) {
      this.play();
    } else if (sentence !== undefined) {
      this.#show(sentence);
    }
    this.showSentence();
  }

  #speakAgain() {
    if (this.#isPlaying) {
      this.play();
    }
  }

  /** @param {number} index */
  #paragraphStart(index) {
    const block = this.#sentences[index]?.block;
    return this.#sentences.findIndex((sentence) => sentence.block === block);
  }

  /** @param {import('./listen-sentences.js').Sentence} sentence */
  #show({ place, paragraph }) {
    this.view.show(place);
    this.controls.showBack(this.view.isOutOfView);
    this.place.listen(paragraph);
  }

  /** @param {boolean} isPlaying */
  #showPlaying(isPlaying) {
    this.#isPlaying = isPlaying;
    this.controls.showPlaying(isPlaying);
    if (isPlaying) {
      this.controls.say(this.voices.fits ? this.#notice : t('scripts.listenOtherLanguage'));
    }
  }
}
