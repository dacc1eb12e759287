import { Controller, Param, RequestMethod, Res } from '@nestjs/common';
import type { Response } from 'express';

import { EPUB_TYPE } from '../../../articles/epub/epub.service.js';
import { sendWhole } from '../../../articles/epub/epub-answers.js';
import { EpubDownloads } from '../../../articles/epub/epub-downloads.js';
import { ArticleReader } from '../../../articles/reading/article-reader.js';
import { Permission } from '../../../auth/consumers/permission.js';
import { PageTexts } from '../../../reading-list/page-texts.js';
import { CurrentWallabagUser, type WallabagUser } from '../wallabag.guard.js';
import { WallabagRoute } from '../wallabag-route.js';
import { NoSuchFormatError } from '../wire/wallabag-answers.js';
import type { EntryResponse, EntryRow } from './entry.presenter.js';
import { csvOf, fileName, xmlOf } from './entry-file.js';
import { EntryReader } from './entry-reader.service.js';

interface ExportedEntry {
  readonly userId: string;
  readonly row: EntryRow;
  readonly entry: EntryResponse;
}

interface ExportFormat {
  readonly contentType: string;
  readonly write: (exported: ExportedEntry) => Promise<string> | string;
}

const BOOK = 'epub';

/** Exports one entry as a file (docs/api/wallabag.md, "Files"). */
@Controller('wallabag/api')
export class ExportController {
  /** The export formats, keyed by file name extension. */
  private readonly formats: ReadonlyMap<string, ExportFormat> = new Map<string, ExportFormat>([
    ['txt', { contentType: 'text/plain; charset=UTF-8', write: (one) => this.text(one) }],
    ['md', { contentType: 'text/markdown; charset=UTF-8', write: (one) => this.markdown(one) }],
    ['csv', { contentType: 'text/csv; charset=UTF-8', write: ({ entry }) => csvOf(entry) }],
    ['xml', { contentType: 'application/xml', write: ({ entry }) => xmlOf(entry) }],
    ['json', { contentType: 'application/json', write: ({ entry }) => JSON.stringify([entry]) }],
  ]);

  constructor(
    private readonly reader: EntryReader,
    private readonly articles: ArticleReader,
    private readonly texts: PageTexts,
    private readonly downloads: EpubDownloads,
  ) {}

  @WallabagRoute(RequestMethod.GET, 'entries/:entry/export.:format', Permission.Retrieve)
  async export(
    @CurrentWallabagUser() user: WallabagUser,
    @Param('entry') number: string,
    @Param('format') name: string,
    @Res() response: Response,
  ): Promise<void> {
    const userId = String(user.id);
    const row = await this.reader.named(userId, number);
    const format = this.formats.get(name);
    if (format === undefined && name !== BOOK) {
      throw new NoSuchFormatError([...this.formats.keys()]);
    }
    const entry = await this.reader.presentOne(user, row, 'file');
    const send = (bytes: Buffer): Promise<void> => {
      response.setHeader('content-type', format?.contentType ?? EPUB_TYPE);
      response.setHeader('content-disposition', `attachment; filename="${fileName(entry, name)}"`);
      response.setHeader('content-description', 'File Transfer');
      response.setHeader('content-transfer-encoding', 'binary');
      response.setHeader('cache-control', 'private, no-cache');
      return sendWhole(response, bytes);
    };
    await (format === undefined
      ? this.downloads.article(response, { userId, row }, ({ bytes }) => send(bytes))
      : send(Buffer.from(await format.write({ userId, row, entry }))));
  }

  private async text({ row, entry }: ExportedEntry): Promise<string> {
    const texts = await this.texts.of([row.resolved_id]);
    return `${entry.title}\n${entry.url}\n\n${texts.get(row.resolved_id) ?? row.excerpt}\n`;
  }

  private async markdown({ entry }: ExportedEntry): Promise<string> {
    const text = await this.articles.markdown(entry.content ?? '');
    return `# ${entry.title.replaceAll(/\s+/g, ' ')}\n\n<${entry.url}>\n\n${text}`;
  }
}
