import type { BrowserContext, Page } from 'playwright-core';

export interface FakeVoice {
  readonly name: string;
  readonly lang: string;
  readonly isRemote?: boolean;
}

interface Utterance {
  readonly text: string;
  readonly rate: number;
  readonly lang: string;
  /** The name of the voice, or null if the browser should choose. */
  readonly voice: string | null;
}

interface FakeSpeech {
  readonly voices: readonly FakeVoice[];
  /** True if the browser refuses to speak in a page before the user has tapped it. */
  readonly needsTap?: boolean;
}

const SCRIPT = `({ voices, needsTap }) => {
  const log = [];
  let current;
  let isTapped = false;
  // Browsers drop an utterance that follows a call of cancel immediately.
  let dropsUntil = 0;
  for (const type of ['pointerdown', 'keydown']) {
    addEventListener(type, () => { isTapped = true; }, { capture: true });
  }
  const all = voices.map(({ name, lang, isRemote = false }) => ({
    name, lang, voiceURI: name, localService: !isRemote, default: false,
  }));
  const synthesis = Object.assign(new EventTarget(), {
    speaking: false, pending: false, paused: false,
    getVoices: () => all,
    resume: () => undefined,
    cancel: () => {
      const stopped = current;
      current = undefined;
      dropsUntil = performance.now() + 20;
      queueMicrotask(() => stopped?.onerror?.({ error: 'canceled' }));
    },
    speak: (utterance) => {
      if (needsTap && !isTapped) {
        queueMicrotask(() => utterance.onerror?.({ error: 'not-allowed' }));
        return;
      }
      if (performance.now() < dropsUntil) {
        return;
      }
      const { text, rate, lang, voice } = utterance;
      log.push({ text, rate, lang, voice: voice?.name ?? null });
      current = utterance;
      queueMicrotask(() => utterance.onstart?.({}));
    },
  });
  const finish = (act) => {
    const ended = current;
    current = undefined;
    act(ended);
  };
  window.fakeSpeech = {
    log,
    isSpeaking: () => current !== undefined,
    end: () => finish((ended) => ended.onend?.({})),
    fail: (error) => finish((ended) => ended.onerror?.({ error })),
  };
  Object.defineProperty(window, 'speechSynthesis', { value: synthesis });
  window.SpeechSynthesisUtterance = class {
    constructor(text) { this.text = text; }
  };
  const media = window.fakeMediaKeys = {};
  navigator.mediaSession.setActionHandler = (action, handler) => { media[action] = handler; };
}`;

/** Replaces the speech of the browser in all pages of a context, because headless Chromium has no voices. */
export async function withFakeSpeech(context: BrowserContext, speech: FakeSpeech): Promise<void> {
  await context.addInitScript(`(${SCRIPT})(${JSON.stringify(speech)})`);
}

/** Returns everything that the page has spoken so far. */
export const spokenBy = (page: Page): Promise<Utterance[]> =>
  page.evaluate<Utterance[]>('fakeSpeech.log');

export const isSpeaking = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('fakeSpeech.isSpeaking()');

/** Ends the current utterance, as a browser does after the last word. */
export const endSentence = (page: Page): Promise<void> =>
  page.evaluate<undefined>('fakeSpeech.end()');

export const failSentence = (page: Page, error: string): Promise<void> =>
  page.evaluate<undefined>(`fakeSpeech.fail('${error}')`);

/** Presses a media key, such as `pause` or `nexttrack`. */
export const pressMediaKey = (page: Page, action: string): Promise<void> =>
  page.evaluate<undefined>(`fakeMediaKeys['${action}']()`);

/** Returns the marked sentence. */
export const markedIn = (page: Page): Promise<string> =>
  page.evaluate<string>(
    `[...(CSS.highlights.get('spoken') ?? [])].map((range) => range.toString()).join('')`,
  );
