import { join } from 'node:path';

import { describeClient } from '../support/client-source.js';
import { ExtensionBrowser, type Popup } from '../support/extension-browser.js';
import { PictureSite } from '../support/picture-site.js';
import { until } from '../support/processes.js';
import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagApi } from '../support/wallabag-api.js';

let site: PictureSite;
let app: TestApp;
let api: ReadingListApi;
let browser: ExtensionBrowser;

beforeAll(async () => {
  site = await PictureSite.served();
  app = await aTestApp();
});
afterAll(async () => {
  await app.close();
  await site.stop();
});

const becomes = (popup: Popup, expression: string): Promise<void> =>
  until(() => popup.evaluate<boolean>(expression), expression);

/** Waits for the server's answer. Returns the title of the saved page's card. */
async function saved(popup: Popup): Promise<string> {
  await becomes(popup, `(document.getElementById('entry-url')?.textContent ?? '').trim() !== ''`);
  return popup.evaluate(`document.getElementById('card-title').textContent`);
}

const click = (popup: Popup, id: string): Promise<void> =>
  popup.evaluate(`document.getElementById('${id}').click()`);

const savedItem = async () => (await api.items({ state: 'all', detailType: 'complete' }))[0];

describeClient(
  'Wallabagger in Chromium',
  { variable: 'WALLABAGGER_SOURCE', folders: ['wallabagger'] },
  (source) => {
    beforeAll(async () => {
      api = await ReadingListApi.of(app);
      browser = await ExtensionBrowser.launched(
        ['http://127.0.0.1/*'],
        join(source, 'wallabagger'),
      );
    });
    afterAll(async () => {
      await browser.close();
    });

    it('connects on its options page', async () => {
      const { client_id, client_secret } = (await WallabagApi.of(app)).credentials;
      const options = await browser.settings();
      await options.fill('#input-wallabagurl', `${app.url}/wallabag`);
      await options.click('#checkurl-button');
      await options.click('#credentials-manual');
      await options.fill('#clientid-input', client_id);
      await options.fill('#clientsecret-input', client_secret);
      await options.fill('#userlogin-input', api.user.email);
      await options.fill('#userpassword-input', api.user.password);
      await options.click('#getapptoken-button');

      const label = () => options.textContent('#apitoken-label');
      await until(async () => (await label()) === 'Granted', 'the token');
      expect(await options.textContent('#apiversion-label')).toBe('2.6.14');
      await options.close();
    });

    it('saves the open page, and stars, tags and archives it', async () => {
      const url = site.article('in-the-browser');
      const popup = await browser.popup(await browser.page(url));
      expect(await saved(popup)).not.toBe('');

      await click(popup, 'starred-icon');
      await until(async () => (await savedItem())?.favorite === '1', 'the star');
      await popup.evaluate(`(() => {
        const input = document.getElementById('tags-input');
        input.value = 'to read,';
        input.dispatchEvent(new Event('input'));
      })()`);
      await until(async () => tagsOf(await savedItem()).includes('to read'), 'the tag');
      await click(popup, 'archived-icon');
      await until(async () => (await savedItem())?.status === '1', 'the archive');

      expect(await savedItem()).toMatchObject({ given_url: url, favorite: '1', status: '1' });
      await popup.close();
    });

    it('shows the tags of a page that is already saved, and deletes the page', async () => {
      const popup = await browser.popup(await browser.page(site.article('in-the-browser')));
      await saved(popup);
      await becomes(popup, `document.querySelector('.chip-name')?.textContent === 'to read'`);

      await click(popup, 'delete-icon');
      await click(popup, 'delete-article');

      await until(async () => (await api.items({ state: 'all' })).length === 0, 'the deletion');
    });
  },
);
