import { type Reader, textReader, Unreadable } from '../../../pocket-api/param-readers.js';
import { CustomParam, FlagParam, RequiredParam, TextParam } from '../../../pocket-api/params.js';
import { parsePageDetails } from '../../../reading-list/details/page-details.js';
import type { DetailChanges } from '../../../reading-list/details/tracked-details.js';
import type { Address } from '../../../reading-list/list/address.js';
import { givenTitle } from '../../../reading-list/list/item-texts.js';
import type { TagName } from '../../../reading-list/list/tag-name.js';
import { readAddress } from '../../../reading-list/list-param-readers.js';
import { readLabels } from '../tags/tag.requests.js';
import { type PageHints, pageOfContent } from './sent-content.js';

/**
 * The maximum length of a title in a request. The maximum is large, because long titles are cut instead of rejected.
 */
const MAX_TITLE_LENGTH = 1_000_000;
/** The maximum length of page content. It is the same for clients of the v3 API. */
const MAX_CONTENT_LENGTH = 2_000_000;
const MAX_HINT_LENGTH = 5000;

const readText = textReader({ max: MAX_HINT_LENGTH });

/** Reads optional data about a page. Ignores an invalid value, so that the page is saved anyway. */
const readHint: Reader<string | undefined> = (value) => {
  const text = readText(Array.isArray(value) ? value.join(',') : value);
  return text instanceof Unreadable ? undefined : text;
};

/** The changes of an entry that a client requests. Undefined properties change nothing. */
export interface EntryChanges {
  readonly title: string | undefined;
  readonly tags: readonly TagName[];
  readonly archive: boolean | undefined;
  readonly starred: boolean | undefined;
  /** An HTML page whose body is the article that the client sent. */
  readonly page: string | undefined;
  readonly details: DetailChanges;
}

/** The URL of the page to save. */
export class AddressRequest {
  @RequiredParam(readAddress)
  url!: Address;
}

/** The parameters of an entry except its URL. Invalid data about the page are ignored, as in wallabag. */
export class EntryRequest {
  @TextParam({ max: MAX_TITLE_LENGTH })
  title?: string;

  @CustomParam(readLabels)
  tags?: readonly TagName[];

  @FlagParam()
  archive?: boolean;

  @FlagParam()
  starred?: boolean;

  @FlagParam()
  public?: boolean;

  @TextParam({ max: MAX_CONTENT_LENGTH })
  content?: string;

  @CustomParam(readHint)
  origin_url?: string;

  @CustomParam(readHint)
  language?: string;

  @CustomParam(readHint)
  preview_picture?: string;

  @CustomParam(readHint)
  published_at?: string;

  @CustomParam(readHint)
  authors?: string;

  toChanges(): EntryChanges {
    const { title = '', tags = [], archive, starred, content } = this;
    const given = givenTitle(title);
    return {
      title: given,
      tags,
      archive,
      starred,
      page: content === undefined ? undefined : pageOfContent(content, this.hints(given)),
      details: this.details(),
    };
  }

  private details(): DetailChanges {
    const details = parsePageDetails({
      originUrl: this.origin_url,
      publishedAt: this.published_at,
      authors: this.authors,
      language: this.language,
      previewPicture: this.preview_picture,
    });
    return { ...details, ...(this.public !== undefined && { isPublic: this.public }) };
  }

  private hints(title: string | undefined): PageHints {
    return {
      title,
      language: this.language,
      authors: this.authors,
      picture: this.preview_picture,
      publishedAt: this.published_at,
    };
  }
}
