import { message } from '../../../platform/i18n/message.js';
import { messagePage } from '../../message-page.js';
import { type ShownPage, Template } from '../../template.js';

/** An item of a public list. It contains only what visitors may see (docs/decisions/0120). */
export interface SharedListItem {
  readonly title: string;
  /** The address of the original page. */
  readonly originalHref: string;
  readonly site: string;
  /** The reading time in minutes. Undefined if the item is not an article. */
  readonly minutes: number | undefined;
  /** The note of the user. Empty if there is none, or if the user does not show notes. */
  readonly note: string;
  /** The address of the public page of the item. Undefined if the user has not shared the item, or no longer shares it. */
  readonly readHref: string | undefined;
}

/** A page of a public list. */
export interface SharedListModel {
  readonly title: string;
  /** The name of the user who has published the list. */
  readonly by: string;
  readonly items: readonly SharedListItem[];
  readonly feedHref: string;
  readonly firstHref: string | undefined;
  readonly previousHref: string | undefined;
  readonly nextHref: string | undefined;
  /** True if search engines must not list the page. */
  readonly isUnlisted: boolean;
}

const template = new Template<SharedListModel & { readonly sheets: readonly string[] }>(
  'shared/lists/shared-list',
  { hasSecretAddress: true },
);

export const sharedListPage = (model: SharedListModel): ShownPage =>
  template.page({ ...model, sheets: ['shared-list.css'] });

/** Returns the page for all addresses without a public list. It does not reveal whether an address has ever had one. */
export const noListPage = (): ShownPage =>
  messagePage.page(
    {
      heading: message('errors.headings.404'),
      text: message('publicLists.gone'),
      isUnlisted: true,
    },
    { status: 404, hasSecretAddress: true },
  );
