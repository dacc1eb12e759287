import {
  endSentence,
  failSentence,
  isSpeaking,
  markedIn,
  pressMediaKey,
  spokenBy,
  withFakeSpeech,
} from '../support/fake-speech.js';
import { button, Listeners, speaks, VOICES } from '../support/listeners.js';
import { until } from '../support/processes.js';

let listeners: Listeners;
beforeAll(async () => {
  listeners = await Listeners.started();
});
afterAll(() => listeners.stop());
afterEach(() => listeners.leave());

describe('a user who listens', () => {
  it('hears the title and each sentence, and sees the spoken one marked', async () => {
    const page = await listeners.listening();
    const marked = [];

    for (let count = 1; count <= 8; count += 1) {
      await until(async () => (await spokenBy(page)).length === count, `sentence ${count}`);
      marked.push((await markedIn(page)).replaceAll(/\s+/g, ' '));
      if (count < 8) {
        await endSentence(page);
      }
    }

    expect((await spokenBy(page)).map(({ text }) => text)).toEqual([
      ...['A talk', 'First one.', 'Dr. Ada came home at 3.14 p.m. and slept.', 'Code block.'],
      ...['The area is 10 m2.', 'Table.', 'A quiet pier.', 'The last one.'],
    ]);
    expect(marked).toEqual([
      ...['A talk', 'First one.', 'Dr. Ada came1 home at 3.14 p.m. and slept.', 'let x = 1;'],
      ...['The area is 10 m2.', 'ab', 'A quiet pier.', 'The last one.'],
    ]);
  });

  it('pauses, and goes on at the same sentence', async () => {
    const page = await listeners.listening();
    await endSentence(page);
    await speaks(page, 'First one.');

    await button(page, 'Pause').click();
    expect(await isSpeaking(page)).toBe(false);
    expect(await markedIn(page)).toBe('First one.');
    await button(page, 'Play').click();

    await speaks(page, 'First one.');
  });

  it('skips sentences and paragraphs with buttons and keys', async () => {
    const page = await listeners.listening();

    await button(page, 'Next paragraph').click();
    await speaks(page, 'First one.');
    await page.keyboard.press('.');
    await speaks(page, 'Dr. Ada came home at 3.14 p.m. and slept.');
    await page.keyboard.press('>');
    await speaks(page, 'Code block.');
    await button(page, 'Previous sentence').click();
    await speaks(page, 'Dr. Ada came home at 3.14 p.m. and slept.');
    await page.keyboard.press('<');
    await speaks(page, 'First one.');
    await page.keyboard.press('<');
    await speaks(page, 'A talk');
    await page.keyboard.press('l');

    expect(await isSpeaking(page)).toBe(false);
  });

  it('uses media keys', async () => {
    const page = await listeners.opened();
    const complaints: string[] = [];
    page.on('console', (message) => {
      complaints.push(...(message.text().includes('Content Security') ? [message.text()] : []));
    });
    await button(page, 'Listen').click();

    await pressMediaKey(page, 'nexttrack');
    await speaks(page, 'First one.');
    await pressMediaKey(page, 'pause');
    expect(await isSpeaking(page)).toBe(false);
    await pressMediaKey(page, 'play');

    await speaks(page, 'First one.');
    await button(page, 'Close player').click();
    expect(await markedIn(page)).toBe('');
    expect(await page.evaluate('fakeMediaKeys.play')).toBeNull();
    expect(complaints).toEqual([]);
  });

  it('chooses speed and voice, which the browser remembers', async () => {
    const page = await listeners.listening();
    const voices = page.getByLabel('Voice');
    expect(await voices.locator('option').allInnerTexts()).toEqual(['Samantha', 'Cloud (online)']);

    await voices.selectOption('Cloud');
    await page.getByLabel('Speed').selectOption('1.5×');
    await button(page, 'Play').or(button(page, 'Pause')).focus();
    await page.keyboard.press('+');
    await until(async () => (await spokenBy(page)).at(-1)?.rate === 1.75, 'the new speed');
    await page.reload();
    await page.getByRole('button', { name: 'Listen' }).click();

    expect(await spokenBy(page)).toEqual([
      { text: 'A talk', rate: 1.75, lang: 'en-GB', voice: 'Cloud' },
    ]);
  });

  it('hears a voice of the device if the voice of another server fails', async () => {
    const page = await listeners.listening({ voices: VOICES.toReversed() });
    await page.getByLabel('Voice').selectOption('Cloud');
    await until(async () => (await spokenBy(page)).at(-1)?.voice === 'Cloud', 'the remote voice');

    await failSentence(page, 'network');

    await until(async () => (await spokenBy(page)).at(-1)?.voice === 'Samantha', 'the local voice');
  });

  it('hears a long sentence in parts, because remote voices stop after 15 seconds', async () => {
    const sentence = `It began ${'with a long list of words, '.repeat(12)}and ended.`;
    const id = await listeners.anArticle('Lists', `<p>${sentence}</p>`);
    const page = await listeners.listening({ id, voices: [VOICES[2]!] });

    for (let count = 1; count <= 3; count += 1) {
      await until(async () => (await spokenBy(page)).length === count, `part ${count}`);
      await endSentence(page);
    }
    await until(async () => (await spokenBy(page)).length === 4, 'the last part');

    const [, ...parts] = (await spokenBy(page)).map(({ text }) => text);
    expect(parts.join('')).toBe(sentence);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(160);
    expect(parts[0]).toMatch(/,\s*$/);
  });

  it('is told to press Play if the browser stays silent', async () => {
    const page = await listeners.opened({ script: 'speechSynthesis.speak = () => undefined' });
    await page.clock.install();
    await button(page, 'Listen').click();

    await page.clock.runFor(7000);

    await page.getByText('The browser stopped the voice. Press Play to continue.').waitFor();
    await button(page, 'Play').waitFor();
  });

  it('hears the next sentence if the browser reports no end', async () => {
    const page = await listeners.opened();
    await page.clock.install();
    await button(page, 'Listen').click();
    await speaks(page, 'A talk');

    await page.clock.runFor(15_000);

    await speaks(page, 'First one.');
  });

  it('listens in an old browser', async () => {
    const script = 'delete CSS.highlights; delete Intl.Segmenter;';
    const page = await listeners.listening({ script });

    await page.keyboard.press('.');
    await speaks(page, 'First one.');

    const box = await page.locator('.spoken-layer div').boundingBox();
    const text = await page.locator('#article-text p').first().boundingBox();
    expect(box?.x).toBeCloseTo(text?.x ?? 0, 0);
    expect(box?.width).toBeLessThan(text?.width ?? 0);
  });
});

describe('the Listen button', () => {
  it.each([
    ['no voices', { voices: [] }],
    ['no speech', { script: 'delete window.speechSynthesis' }],
  ])('says that the browser has no voices: %s', async (_, visit) => {
    const context = await listeners.context();
    await ('voices' in visit
      ? withFakeSpeech(context, visit)
      : context.addInitScript(visit.script));
    const page = await context.newPage();
    await page.goto(`/read/${await listeners.aTalk()}`);

    const listen = page.getByRole('button', { name: 'No voices' });
    await listen.waitFor();
    expect(await listen.isDisabled()).toBe(true);
  });

  it('says in the player that no voice fits the language of the article', async () => {
    const page = await listeners.listening({ voices: [{ name: 'Anna', lang: 'de-DE' }] });

    await page.getByText('This browser has no voice for the language of this article.').waitFor();
    expect((await spokenBy(page)).at(-1)?.voice).toBe('Anna');
  });

  it('works without a network: the service worker keeps all parts', async () => {
    const page = await listeners.opened();
    const parts = await page.evaluate<string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
        .filter((path) => path.startsWith('/pages/'))`,
    );
    expect(parts.join('\n')).toMatch(/^\/pages\/article\.[\da-f]{10}\.js$/m);
    const list = await (await listeners.context()).newPage();
    await list.goto('/list');

    await until(async () => {
      const kept = await list.evaluate<boolean[]>(
        `Promise.all(${JSON.stringify(parts)}.map(async (path) => Boolean(await caches.match(path))))`,
      );
      return !kept.includes(false);
    }, 'all parts in the cache');
  });
});
