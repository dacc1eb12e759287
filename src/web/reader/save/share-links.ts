import type { Response } from 'express';

import { textOf } from '../../../platform/common/request-fields.js';
import { goTo } from '../../pages.js';

/** Programs such as feed readers check for this status. */
const FOUND = 302;

/** Names of the parameters in which programs send the address and the title of a page. */
const URLS = ['url', 'u', 'post', 'share_url'];
const TITLES = ['title', 't', 'share_title'];

/**
 * Redirects to the save page for the page that a program shares. The save page asks first, because any site can link to
 * a share address.
 */
export function openSavePage(response: Response, query: unknown): void {
  const [url, title] = [firstText(query, URLS), firstText(query, TITLES)];
  const fields = new URLSearchParams({ url, ...(title !== '' && { title }), ask: '1' });
  goTo(response, url === '' ? '/save' : `/save?${fields.toString()}`, FOUND);
}

/** True for the share addresses of Shaarli (`/?post=`) and of the first wallabag (`/?action=add&url=`). */
export const isShareQuery = (query: unknown): boolean =>
  textOf(query, 'post') !== '' ||
  (textOf(query, 'action') === 'add' && textOf(query, 'url') !== '');

const firstText = (query: unknown, names: readonly string[]): string =>
  names.map((name) => textOf(query, name).trim()).find((text) => text !== '') ?? '';
