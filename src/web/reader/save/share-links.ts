import { textOf } from '../../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';

/** The HTTP status of the redirect. Programs such as feed readers check for this status. */
const FOUND = 302;

/** The names of the parameters in which programs send the address and the title of a page. */
const URLS = ['url', 'u', 'post', 'share_url'];
const TITLES = ['title', 't', 'share_title'];

/**
 * Redirects to the save page, and passes on the address that a program shares. The save page asks for confirmation,
 * because any site can link to a share address.
 */
export function openSavePage(query: unknown): Answer {
  const [url, title] = [firstText(query, URLS), firstText(query, TITLES)];
  const fields = new URLSearchParams({ url, ...(title !== '' && { title }), ask: '1' });
  return redirect(url === '' ? '/save' : `/save?${fields.toString()}`, FOUND);
}

/** Returns true if the query is from a share address of Shaarli (`/?post=`) or of wallabag 1 (`/?action=add&url=`). */
export const isShareQuery = (query: unknown): boolean =>
  textOf(query, 'post') !== '' ||
  (textOf(query, 'action') === 'add' && textOf(query, 'url') !== '');

const firstText = (query: unknown, names: readonly string[]): string =>
  names.map((name) => textOf(query, name).trim()).find((text) => text !== '') ?? '';
