import { spokenBy } from '../support/fake-speech.js';
import { button, Listeners, speaks, VOICES } from '../support/listeners.js';

const [, , REMOTE] = VOICES;
const MANY = 20_000;

let listeners: Listeners;
beforeAll(async () => {
  listeners = await Listeners.started();
});
afterAll(() => listeners.stop());
afterEach(() => listeners.leave());

describe('a user who listens', () => {
  it('hears the sentence to which two quick presses skip', async () => {
    const page = await listeners.listening();

    await page.evaluate(`(() => {
      const next = document.querySelector('[data-listen="next"]');
      next.click();
      next.click();
    })()`);

    await speaks(page, 'Dr. Ada came home at 3.14 p.m. and slept.');
  });

  it('hears the sentence after a quick pause', async () => {
    const page = await listeners.listening();

    await page.evaluate(`(() => {
      const play = document.querySelector('[data-listen="play"]');
      play.click();
      play.click();
    })()`);

    await speaks(page, 'A talk');
  });

  it('hears a paragraph with tens of thousands of sentences and footnotes', async () => {
    const sentences = 'It is so. is it so? '.repeat(MANY);
    const notes = 'Noted<sup>1</sup> here. '.repeat(MANY);
    const id = await listeners.anArticle('Many', `<p>${sentences}${notes}</p>`);
    const page = await listeners.listening({ id });

    await page.keyboard.press('.');

    await speaks(page, 'It is so. is it so?');
  });

  it('hears a text without spaces in parts', async () => {
    const id = await listeners.anArticle('Unbroken', `<p>${'x'.repeat(1_500_000)}</p>`);
    const script = `localStorage.setItem('satchel-speed', '0.5')`;
    const page = await listeners.listening({ id, voices: [REMOTE!], script });

    await page.keyboard.press('.');

    await speaks(page, 'x'.repeat(80));
  });

  it('hears only the tab that has begun last', async () => {
    const first = await listeners.listening();
    await speaks(first, 'A talk');
    const second = await first.context().newPage();
    await second.goto(first.url());

    await button(second, 'Listen').click();

    await speaks(second, 'A talk');
    await button(first, 'Play').waitFor();
    expect(await spokenBy(first)).toHaveLength(1);
  });
});
