import { textOf } from '../../../platform/common/request-fields.js';
import { parseRequest } from '../../../pocket-api/parse-request.js';
import { type ListView } from '../../../reading-list/views/list-view.js';
import { ListRequest } from '../../../reading-list/views/view.request.js';
import { listPath } from './list-links.js';

/** The page of the list from which the user has opened an article. */
export interface ListOrigin {
  readonly view: ListView;
  readonly after: string | undefined;
}

/**
 * Returns the page of the list that the parameter `list` of an article's address contains. Without this parameter,
 * returns the first page of the unread items.
 * @throws ValidationFailedError if the parameter does not contain the parameters of a list
 */
export function listOriginOf(query: unknown): ListOrigin {
  const params = new URLSearchParams(textOf(query, 'list'));
  const request = parseRequest(ListRequest, Object.fromEntries(params));
  return { view: request.toView(), after: request.after };
}

/** Returns the path of the page of the list from which the user has opened an article. */
export const originPath = ({ view, after }: ListOrigin): string => listPath(view, { after });

/** Returns the path of an article, with the page of the list that contains the link. */
export function articlePath(itemId: string, origin: ListOrigin): string {
  const [, list = ''] = originPath(origin).split('?');
  const query = list === '' ? '' : `?${new URLSearchParams({ list }).toString()}`;
  return `/read/${itemId}${query}`;
}

/**
 * Returns a function that returns the path to which an action on an article redirects. `query` is the query of the
 * request, which contains the page of the list from which the user has opened the article. `done` is the name of the
 * action, for the notice on the page.
 * @throws ValidationFailedError if the query contains an invalid page of a list
 */
export function articlePaths(query: unknown, itemId: string): (done?: string) => string {
  const path = articlePath(itemId, listOriginOf(query));
  return (done) =>
    done === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}done=${done}`;
}
