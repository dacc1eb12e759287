import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import { EReaderMail } from '../../../apis/e-reader-mail/e-reader-mail.service.js';
import { ArticlesService, type OpenedItem } from '../../../articles/articles.service.js';
import { ImageAddresses } from '../../../articles/images/image-addresses.js';
import { ArticleReader } from '../../../articles/reading/article-reader.js';
import { passageOf } from '../../../articles/reading/passages.js';
import type { ShownArticle } from '../../../articles/reading/shown-article.js';
import { AnotherAttempt } from '../../../articles/resolver/another-attempt.service.js';
import type { User } from '../../../auth/entities/user.entity.js';
import { HIGHLIGHT_COLORS } from '../../../lib/util/highlight-color.js';
import { Config } from '../../../platform/config/config.js';
import { ownAddress } from '../../../platform/http/own-address.js';
import { requestLanguage } from '../../../platform/http/request-language.js';
import type { TextLanguage } from '../../../platform/i18n/languages.js';
import type { Annotation } from '../../../reading-list/entities/annotation.entity.js';
import type { ReadingPosition } from '../../../reading-list/entities/reading-position.entity.js';
import { ReadingPositionRepository } from '../../../reading-list/list/reading-position.repository.js';
import { Sharing } from '../../../reading-list/sharing/sharing.service.js';
import { Snapshots } from '../../../reading-list/snapshots/snapshots.service.js';
import {
  type ColorsByName,
  TagColors,
} from '../../../reading-list/tag-colors/tag-colors.service.js';
import { Pages } from '../../pages.js';
import type { ShownPage } from '../../template.js';
import { appearanceChoices, Appearances } from '../appearance/appearance.js';
import { doneNoticeOf } from '../done-notice.js';
import { articlePath, type ListOrigin, listOriginOf, originPath } from '../list/list-origin.js';
import { type ArticleModel, articleTemplate, type RefusedForm } from './article.view.js';
import {
  contentsOf,
  highlightsOf,
  langOf,
  missingOf,
  progressOf,
  quoteSourceOf,
  shownItemOf,
} from './article-model.js';
import { Highlights } from './highlights.service.js';
import { ItemNotes } from './item-notes.service.js';
import { firstPicture } from './lead-picture.js';
import { Neighbours } from './neighbours.js';

interface ArticleVisit {
  readonly user: User;
  readonly itemId: string;
  readonly request: Request;
  readonly response: Response;
}

const REFRESH_SECONDS = '5';

/** The data for the page of an item. */
interface Reading {
  readonly opened: OpenedItem;
  readonly annotations: readonly Annotation[];
  readonly position: ReadingPosition | undefined;
  readonly itemNote: string;
  readonly snapshots: ArticleModel['snapshots'];
  /** The signed addresses of the pictures, keyed by the original addresses. */
  readonly pictures: ReadonlyMap<string, string>;
  readonly shown: ShownArticle | undefined;
  readonly tagColors: ColorsByName;
}

/** Builds the page of an item. After a rejected form, the page also shows the errors of the form. */
@Injectable()
export class ArticlePage {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly pages: Pages,
    private readonly articles: ArticlesService,
    private readonly reader: ArticleReader,
    private readonly addresses: ImageAddresses,
    private readonly attempts: AnotherAttempt,
    private readonly positions: ReadingPositionRepository,
    private readonly highlights: Highlights,
    private readonly appearances: Appearances,
    private readonly neighbours: Neighbours,
    private readonly eReaderMail: EReaderMail,
    private readonly notes: ItemNotes,
    private readonly sharing: Sharing,
    private readonly snapshots: Snapshots,
    private readonly tagColors: TagColors,
    private readonly config: Config,
  ) {}

  /** @throws ItemNotFoundError */
  async show(visit: ArticleVisit, refused?: RefusedForm): Promise<ShownPage> {
    const { user, itemId, request, response } = visit;
    const origin = listOriginOf(request.query);
    const reading = await this.read(user.id, itemId, requestLanguage(request));
    const { opened } = reading;
    const [appearance, neighbours, eReader, failure, shared] = await Promise.all([
      this.appearances.of(user.id),
      this.neighbours.of(user.id, itemId, origin),
      this.eReaderOf(user),
      opened.page === undefined ? this.attempts.failureOf(opened.item.given_url) : undefined,
      this.sharedLink(visit),
    ]);
    if (opened.page === undefined && opened.isWaiting) {
      // The browser reloads this page without a script until the page of the item is fetched.
      response.set('Refresh', REFRESH_SECONDS);
    }
    const model = {
      done: doneNoticeOf(request.query),
      ...addressesOf(itemId, origin),
      refused,
      ...linksTo(neighbours),
      eReader,
      shared,
      choices: appearanceChoices(appearance),
      missing: missingOf(opened, failure),
      ...this.contentOf(reading),
    };
    return articleTemplate.page(model, { status: refused === undefined ? 200 : 400 });
  }

  private async read(userId: string, itemId: string, language: TextLanguage): Promise<Reading> {
    const [opened, annotations, position, itemNote, snapshots] = await Promise.all([
      this.articles.open(userId, itemId),
      this.highlights.of({ userId, itemId }),
      this.positions.of({ userId, itemId }),
      this.notes.of({ userId, itemId }),
      this.snapshots.ofItem(userId, itemId),
    ]);
    const html = opened.page?.html;
    const pictures = this.picturesOf(userId, opened);
    const passages = annotations.map(passageOf);
    const [shown, tagColors] = await Promise.all([
      html === undefined
        ? undefined
        : this.reader.show({ html, position, pictures, language, passages }),
      this.tagColors.of(userId, opened.item.tags),
    ]);
    return { opened, annotations, position, itemNote, snapshots, pictures, shown, tagColors };
  }

  private async sharedLink({
    user,
    itemId,
    request,
  }: ArticleVisit): Promise<ArticleModel['shared']> {
    const link = await this.sharing.linkOf({ userId: user.id, itemId });
    return link && { ...link, url: `${ownAddress(request, this.config.publicUrl)}${link.path}` };
  }

  private async eReaderOf({ id, emailVerifiedAt }: User): Promise<ArticleModel['eReader']> {
    if (!this.eReaderMail.isOn) {
      return undefined;
    }
    if ((await this.eReaderMail.settingsOf(id)) === undefined) {
      return 'unknown';
    }
    return emailVerifiedAt === null ? 'unconfirmed' : 'known';
  }

  private contentOf(reading: Reading) {
    const { opened, annotations, position, itemNote, snapshots, pictures, shown, tagColors } =
      reading;
    const { item } = opened;
    return {
      item: shownItemOf(opened),
      tagColors,
      lang: langOf(item),
      html: shown?.html,
      omittedPictures: shown?.omitted ?? 0,
      contents: contentsOf(shown),
      picture: firstPicture(opened, pictures, shown),
      progress: progressOf(position, shown?.resumeAt),
      highlights: highlightsOf(annotations, shown),
      colors: HIGHLIGHT_COLORS,
      source: quoteSourceOf(item),
      itemNote,
      snapshots,
    };
  }

  /** Returns the signed addresses of the pictures in the page of an item, keyed by the original addresses. */
  private picturesOf(userId: string, { page }: OpenedItem): ReadonlyMap<string, string> {
    const images = page?.page.item.media.images ?? [];
    const pageId = page?.pageId ?? '';
    return new Map(
      images.map(({ src }, at): [string, string] => [
        src,
        this.pages.at(this.addresses.pathOf(userId, { pageId, number: at + 1, src })),
      ]),
    );
  }
}

const linksTo = ({
  next,
  nextToListen,
  previous,
}: Awaited<ReturnType<Neighbours['of']>>): Pick<
  ArticleModel,
  'nextArticle' | 'nextToListen' | 'previousArticle'
> => ({ nextArticle: next, nextToListen, previousArticle: previous });

function addressesOf(
  itemId: string,
  origin: ListOrigin,
): Pick<ArticleModel, 'path' | 'query' | 'backHref'> {
  const path = articlePath(itemId, origin);
  return {
    path,
    query: path.slice(`/read/${itemId}`.length),
    backHref: originPath(origin),
  };
}
