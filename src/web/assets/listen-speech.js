/** Speaks texts with the voices of the browser, and hides the faults of the browsers' speech. */

/**
 * @typedef {{ voice: SpeechSynthesisVoice | undefined, rate: number, lang: string }} Style
 * @typedef {{ ended: () => void, failed: (reason: string) => void }} Handlers
 */

/**
 * The most characters in one utterance at normal speed. Chromium stops a remote voice after about 15 seconds, without
 * an event. Therefore, long sentences are spoken in parts.
 */
const REMOTE_CHARACTERS = 160;
const LOCAL_CHARACTERS = 1000;
/** The shortest part, so that slow speech does not stop after each word. */
const LEAST_CHARACTERS = 60;
/** The time after `cancel` in which browsers drop utterances. */
const SETTLE_MS = 80;
/** A browser that is not allowed to speak may send no event at all. */
const START_MS = 6000;
/** The longest time for an utterance: some browsers never send its end. */
const SLOW_CHARACTERS_PER_SECOND = 3;
const SPARE_MS = 8000;

const CLAUSE_END = /[,;:—–、，；：]\s*/gu;

/**
 * Splits a text into parts of at most `most` characters, after a clause where possible, or else between words.
 * @param {string} text
 * @param {number} most
 * @returns {string[]}
 */
function partsOf(text, most) {
  const parts = [];
  let start = 0;
  while (text.length - start > most) {
    const end = start + partEnd(text.slice(start, start + most));
    parts.push(text.slice(start, end));
    start = end;
  }
  return [...parts, text.slice(start)];
}

/**
 * Returns the end of the first part of a text.
 * @param {string} text
 */
function partEnd(text) {
  const clause = [...text.matchAll(CLAUSE_END)].at(-1);
  const clauseEnd = clause === undefined ? 0 : clause.index + clause[0].length;
  const wordEnd = text.lastIndexOf(' ') + 1;
  return [clauseEnd, wordEnd].find((place) => place > text.length / 3) ?? text.length;
}

/** @param {Style} style */
const mostCharacters = ({ voice, rate }) =>
  Math.max(
    LEAST_CHARACTERS,
    rate * (voice?.localService === false ? REMOTE_CHARACTERS : LOCAL_CHARACTERS),
  );

export class Speech {
  /** The number of the current text. Events of earlier texts are ignored, because they arrive late. */
  #run = 0;
  /** @type {number | undefined} */
  #timer;
  /**
   * Kept because Chromium sends no events for an utterance that was garbage collected.
   * @type {SpeechSynthesisUtterance | undefined}
   */
  #utterance;
  /** The time from which the browser drops no utterances. */
  #readyAt = 0;

  /**
   * @param {SpeechSynthesis} synthesis
   * @param {Handlers} handlers
   */
  constructor(synthesis, handlers) {
    this.synthesis = synthesis;
    this.handlers = handlers;
  }

  /**
   * Speaks a text instead of the current one. iOS allows the first speech only directly in the handler of a tap, so
   * nothing is delayed if nothing was stopped before.
   * @param {string} text
   * @param {Style} style
   */
  speak(text, style) {
    this.stop();
    const parts = partsOf(text, mostCharacters(style));
    if (performance.now() < this.#readyAt) {
      this.#soon(parts, style);
    } else {
      this.#speakParts(parts, style);
    }
  }

  /** Stops without calling a handler. */
  stop() {
    this.#run += 1;
    clearTimeout(this.#timer);
    if (this.#utterance !== undefined) {
      this.#utterance = undefined;
      this.synthesis.cancel();
      this.#readyAt = performance.now() + SETTLE_MS;
    }
  }

  /**
   * @param {readonly string[]} parts
   * @param {Style} style
   */
  #speakParts([part, ...others], style) {
    if (part === undefined) {
      this.handlers.ended();
      return;
    }
    const run = this.#run;
    const utterance = styled(part, style);
    utterance.onstart = () => {
      this.#within(run, longestMs(part, style), () => {
        this.stop();
        this.#soon(others, style);
      });
    };
    utterance.onend = () => {
      this.#now(run, () => {
        this.#utterance = undefined;
        this.#speakParts(others, style);
      });
    };
    utterance.onerror = ({ error }) => {
      this.#now(run, () => {
        this.#fail(error);
      });
    };
    this.#utterance = utterance;
    this.#within(run, START_MS, () => {
      this.#fail('not-allowed');
    });
    this.#start(utterance);
  }

  /** @param {SpeechSynthesisUtterance} utterance */
  #start(utterance) {
    if (this.synthesis.paused) {
      this.synthesis.resume();
    }
    this.synthesis.speak(utterance);
  }

  /**
   * Speaks as soon as the browser drops no utterances.
   * @param {readonly string[]} parts
   * @param {Style} style
   */
  #soon(parts, style) {
    this.#timer = setTimeout(() => {
      this.#speakParts(parts, style);
    }, this.#readyAt - performance.now());
  }

  /** @param {string} reason */
  #fail(reason) {
    this.stop();
    this.handlers.failed(reason);
  }

  /**
   * Runs an action unless another text has begun.
   * @param {number} run
   * @param {() => void} action
   */
  #now(run, action) {
    if (run === this.#run) {
      clearTimeout(this.#timer);
      action();
    }
  }

  /**
   * Runs an action after a time in which no event has arrived.
   * @param {number} run
   * @param {number} ms
   * @param {() => void} action
   */
  #within(run, ms, action) {
    this.#now(run, () => {
      this.#timer = setTimeout(() => {
        this.#now(run, action);
      }, ms);
    });
  }
}

/**
 * @param {string} text
 * @param {Style} style
 */
function styled(text, { voice, rate, lang }) {
  const utterance = new SpeechSynthesisUtterance(text);
  utterance.rate = rate;
  utterance.lang = (voice?.lang ?? lang).replaceAll('_', '-');
  utterance.voice = voice ?? null;
  return utterance;
}

/**
 * @param {string} text
 * @param {Style} style
 */
const longestMs = ({ length }, { rate }) =>
  SPARE_MS + (length * 1000) / (SLOW_CHARACTERS_PER_SECOND * rate);
